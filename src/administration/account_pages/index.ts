/** The staff's pages of accounts, and the parts of them that the pages of reports share. */
export { factsOf } from './find.ts'
export { strikeFields } from './forms.ts'
export { accountPath } from './one.ts'
export { actOnChosen, REPORT_STATUSES, statusBatch, statusBatchParameters } from './statuses.ts'
