/**
 * Exchange with other servers by ActivityPub: documents, signatures, inboxes, deliveries. It may
 * import `timelines` and the districts before it. Begin with `documents/operations.ts`.
 */
export { requireActiveActor, showActor, showHashtag, showNote } from './documents/index.ts'
export { fetchPeers, fetchInstance, type RemoteInstance } from './crawl/index.ts'
export { openRemoteLookup } from './lookup/index.ts'
export { wantsDocument } from './protocol/index.ts'
export { listHostStates, purgeHost, retryHost, rotateKey, type HostState } from './send/index.ts'
export {
  addRelay,
  listAllRelays,
  disableRelay,
  enableRelay,
  listRelays,
  removeRelay,
  type Relay,
  type RelayError,
  type RelayState,
} from './relays/index.ts'
export { cullAccounts, refreshAccounts } from './remote_accounts/index.ts'
export {
  SELF_DESTRUCT_JOBS,
  computeConfirmation,
  readProgress,
  requireValidConfirmation,
  startSendingDeletions,
} from './self_destruct/index.ts'
export { rotateAllKeys, startFederationTask } from './tasks/index.ts'
export { addFederationMetrics } from './metrics.ts'
