/**
 * The end of the server for good: all known servers are told that its accounts are deleted. Begin
 * with `tell_of_deletions.ts`.
 */
export { confirmationOf, requireValidConfirmation } from './confirmation.ts'
export { CLOSED_SERVER_JOBS } from './closed_server_jobs.ts'
export { readProgress } from './progress.ts'
export { startTelling } from './tell_of_deletions.ts'
