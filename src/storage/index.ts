export { processAvatar, processHeader, type Picture, type ProcessedImage } from './images.ts'
export { extensionOf, makeKey, TYPES, typeOfKey, variantKey, type Extension } from './key.ts'
export { sniffImage, type ImageType } from './sniff.ts'
export { openStorage, type Storage, type StorageOptions, type StoredFile } from './storage.ts'
