/** Actor documents of other servers. */
export { readActor, type RemoteActor } from './remote_actor.ts'
export { readKeys } from './listed_keys.ts'
