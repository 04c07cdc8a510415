/** Parses actor documents of other servers and the keys in them. */
export { readActor, type RemoteActor } from './remote_actor.ts'
export { readKeys } from './listed_keys.ts'
