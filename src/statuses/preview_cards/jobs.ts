import { removeUnused } from './remove_unused.ts'
import { settlePreview } from './attach_card.ts'

export const jobs = [settlePreview, removeUnused]
