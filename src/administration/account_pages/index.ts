/** The staff's pages of accounts, and the parts of them that the pages of reports share. */
export { acted } from './acted.ts'
export { findAccountDetails } from './details.ts'
export { strikeFields } from './forms.ts'
export { accountPath } from './account_page.ts'
export { actOnSelected, REPORT_STATUSES, statusBatch, statusBatchParameters } from './statuses.ts'
