/** Retention of content from other servers. */
export { countCachedMedia, removeCachedMedia } from './media.ts'
export { countRemoteStatuses, removeRemoteStatuses } from './statuses.ts'
