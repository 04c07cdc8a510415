/** Background tasks of the staff that are about other servers or keys. */
export { rotateAllKeys, startFederationTask } from './run.ts'
