/**
 * Ends the server for good: sends all known servers the deletion of its accounts. Begin with
 * `send_deletions.ts`.
 */
export { computeConfirmation, requireValidConfirmation } from './confirmation.ts'
export { SELF_DESTRUCT_JOBS } from './self_destruct_jobs.ts'
export { readProgress } from './progress.ts'
export { startSendingDeletions } from './send_deletions.ts'
