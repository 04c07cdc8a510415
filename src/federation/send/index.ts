/**
 * Sends activities of local accounts to other servers. Triggers of the database enqueue the jobs.
 * Begin with `deliver.ts`.
 */
export { answerFollow, rejectInstanceFollow } from './answer_follow.ts'
export { forwardActivity } from './forward_activity.ts'
export { deleteActivity } from './send_account.ts'
export { sendActivity, sendLowPriority } from './send_activity.ts'
export { sendFollows } from './send_follows.ts'
export { listHostStates, purgeHost, retryHost, type HostState } from './host_states.ts'
export { listLocalSigners, rotateKey, rotateKeys } from './rotate_key.ts'
