import { actionOperations } from './actions.ts'
import { showList } from './list.ts'
import { showReport } from './report_page.ts'

export const pageOperations = [showList, showReport, ...actionOperations]
