import { removeUnused } from './remove_unused.ts'
import { attachPreview } from './attach_card.ts'

export const jobs = [attachPreview, removeUnused]
