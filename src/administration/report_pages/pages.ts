import { actionOperations } from './actions.ts'
import { showList } from './list.ts'
import { showReport } from './one.ts'

export const pageOperations = [showList, showReport, ...actionOperations]
