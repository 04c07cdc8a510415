/**
 * Accounts and emojis of other servers: fetches, checks and stores them. Begin with `resolve.ts`.
 */
export { storeEmojis } from './emojis.ts'
export { listInactiveAccounts, isDeleted, isGone } from './inactive_accounts.ts'
export { refreshAccount, listRemoteAccounts, type RemoteAccount } from './refresh.ts'
export { removeActor } from './remove.ts'
export { resolveActor, resolveHandle } from './resolve.ts'
export { storeActor } from './store.ts'
