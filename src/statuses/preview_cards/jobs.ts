import { removeUnused } from './remove_unused.ts'
import { settlePreview } from './settle.ts'

export const jobs = [settlePreview, removeUnused]
