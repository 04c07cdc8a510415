/** Retention of content from other servers. */
export { countUnrelatedAccounts, pruneAccounts } from './accounts.ts'
export { countCachedMedia, removeCachedMedia, removeCardImages, type MediaRemoval } from './media.ts'
export { removeCopiedPictures, uncopyPictures } from './pictures.ts'
export { countRemoteStatuses, removeRemoteStatuses } from './statuses.ts'
export { refreshMedia, type MediaSource } from './refresh_media.ts'
export { forEachOrphan, withFileMismatches, type FileMismatch, type Stores } from './stored_files.ts'
