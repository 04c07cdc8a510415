import { settlePreview } from './settle.ts'

export const jobs = [settlePreview]
