export { type AttachmentRow, type FileUrl, toAttachment } from './attachment.ts'
export { removeFiles, storePicture, storing } from './files.ts'
export { makePreview } from './picture.ts'
export { findTools } from './tools.ts'
