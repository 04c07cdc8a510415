/** Retention of content from other servers. */
export { countUnrelatedAccounts, pruneAccounts } from './accounts.ts'
export { countCachedMedia, forgetCopies, removeCachedMedia, removeCardImages, type MediaRemoval } from './media.ts'
export { removeCopiedPictures } from './pictures.ts'
export { countRemoteStatuses, removeRemoteStatuses } from './statuses.ts'
