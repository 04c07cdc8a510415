/** What is kept of other servers, and for how long (api/settings.md, section 7). */
export { removeCachedMedia } from './media.ts'
export { removeRemoteStatuses } from './statuses.ts'
