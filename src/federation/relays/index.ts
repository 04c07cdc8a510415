/**
 * Relays: servers that pass public posts on to each other. This server follows them as its own
 * actor. Begin with `relay.ts`.
 */
export {
  addRelay,
  allRelays,
  disableRelay,
  enableRelay,
  listRelays,
  removeRelay,
  type Relay,
  type RelayFault,
  type RelayState,
} from './relay.ts'
export { answeredByRelay, isRelayed } from './relayed.ts'
