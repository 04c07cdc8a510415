export { processAvatar, processHeader, type Picture, type ProcessedImage } from './images.ts'
export { extensionOf, isPublicKey, makeKey, SOURCES, TYPES, typeOfKey, variantKey, type Extension } from './key.ts'
export { sniffImage, sniffMedia, type Demuxer, type ImageType, type Sniffed } from './sniff.ts'
export { openStorage, type Storage, type StorageOptions, type StoredFile } from './storage.ts'
