/**
 * Relays: servers that forward public posts of many servers. The instance actor follows them. Begin
 * with `relay.ts`.
 */
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
} from './relay.ts'
export { storeRelayAnswer, isRelayedBy } from './relay_activities.ts'
