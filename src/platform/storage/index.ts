export { processAvatar, processHeader, type Picture, type ProcessedImage } from './images.ts'
export {
  ARCHIVES,
  extensionOf,
  isPublicKey,
  makeKey,
  SAMPLES,
  SOURCES,
  TYPES,
  typeOfKey,
  variantKey,
  type Extension,
} from './key.ts'
export { sniffImage, sniffMedia, type Demuxer, type ImageType, type Sniffed } from './sniff.ts'
export { openFolder, type Folder, type FolderOptions } from './folder.ts'
export { isTooLong, loadSharp } from './sharp.ts'
export { openStorage, mediaSources, type Storage, type StoredFile } from './storage.ts'
export { inFolder, makeFolder, removeAbandonedFolders, workFolder } from './work_folder.ts'
