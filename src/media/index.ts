export { type AttachmentRow, type FileUrl, toAttachment } from './attachment.ts'
export { storePicture, storing } from './files.ts'
export { makePreview } from './picture.ts'
export { findTools } from './tools.ts'
