/**
 * Accounts and emojis of other servers: fetches, checks and stores them. Begin with `resolve.ts`.
 */
export { storeEmojis } from './emojis.ts'
export { cullAccounts, listAccountsToCull } from './cull.ts'
export { isDeleted } from './inactive_accounts.ts'
export { listRemoteAccounts, refreshAccounts } from './refresh.ts'
export { removeActor } from './remove.ts'
export { resolveActor, resolveHandle, wasDeleted } from './resolve.ts'
export { storeActor } from './store.ts'
