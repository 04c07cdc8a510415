/**
 * Sends what local people do to other servers: activities, their recipients, deliveries. Begin with
 * `deliver.ts`; triggers of the database enqueue the jobs.
 */
export { answerFollow, refuseServerFollow } from './answer_follow.ts'
export { forwardActivity } from './forward_activity.ts'
export { deletionOf } from './send_account.ts'
export { sendActivity, sendLater } from './send_activity.ts'
export { sendFollows } from './send_follows.ts'
export { listHostStates, purgeHost, retryHost, type HostState } from './host_states.ts'
export { localSigners, rotateKey } from './rotate_key.ts'
