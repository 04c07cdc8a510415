/** Accounts in the admin API: lists, entities and actions. */
export { findAccounts } from './filter.ts'
export { renderAdminAccounts } from './render.ts'
