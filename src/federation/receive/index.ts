/**
 * Processes activities of other servers. Begin with `receive.ts`, which has a handler for each
 * type.
 */
export { prefetch, trackPrefetch } from './prefetch.ts'
export { processAndForward } from './forward.ts'
export type { Prefetched } from './incoming_activity.ts'
export { receiveActivity } from './receive.ts'
export { createConcurrentGroup, isFullyPrefetched } from './concurrent_group.ts'
export { refreshReplies } from './fetch_replies.ts'
export { refreshStatus } from './refresh_status.ts'
export { parseSynchronizationHeader, synchronizeFollowers } from './synchronize_followers.ts'
export { resolveStatus } from './resolve_status.ts'
