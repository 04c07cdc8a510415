/** Background tasks of the staff that are about other servers or keys. */
export { startFederationTask } from './run.ts'
