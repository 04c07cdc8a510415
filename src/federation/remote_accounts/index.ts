/**
 * Accounts and emojis of other servers: fetches, checks and stores them. Begin with `resolve.ts`.
 */
export { storeEmojis } from './emojis.ts'
export { inactiveAccounts, isDeleted, isGone } from './gone.ts'
export { refreshAccount, remoteAccounts, type RemoteAccount } from './refresh.ts'
export { removeActor } from './remove.ts'
export { resolveActor, resolveHandle } from './resolve.ts'
export { storeActor } from './store.ts'
