/** Retention of content from other servers. */
export { removeCachedMedia } from './media.ts'
export { removeRemoteStatuses } from './statuses.ts'
