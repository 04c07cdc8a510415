/** Accounts in the admin API: lists, entities and actions. */
export { findAccounts, ORIGINS, STATUSES } from './filter.ts'
export { renderAdminAccounts } from './render.ts'
