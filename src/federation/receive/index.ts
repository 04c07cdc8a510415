/**
 * Processes the activities of other servers into statuses, follows and events. Begin with
 * `receive.ts`.
 */
export { prefetch, trackPrefetched } from './prefetch.ts'
export { processAndForward } from './forward.ts'
export type { Prefetched } from './receiving.ts'
export { receiveActivity } from './receive.ts'
export { createGroup, isPrefetched } from './together.ts'
export { refreshReplies } from './fetch_replies.ts'
export { refreshStatus } from './refresh_status.ts'
export { readClaim, synchronizeFollowers } from './synchronize_followers.ts'
export { resolveStatus } from './take_note.ts'
