export { processAvatar, processHeader, type Picture, type ProcessedImage } from './images.ts'
export {
  ARCHIVES,
  extensionOf,
  isPublicKey,
  isRemovable,
  makeKey,
  SAMPLES,
  SOURCES,
  typeOfKey,
  variantKey,
} from './key.ts'
export { sniffImage, sniffMedia, type Demuxer, type ImageType, type Sniffed } from './sniff.ts'
export { keyOfFile, openFolder, otherNameOf, type Folder } from './folder.ts'
export { isTooLong, loadSharp } from './sharp.ts'
export { isElsewhere, openStorage, mediaSources, type ListedFile, type Storage, type StoredFile } from './storage.ts'
export { inFolder, makeFolder, removeAbandonedFolders, workFolder } from './work_folder.ts'
