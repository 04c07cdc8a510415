export { type AttachmentRow, type FileUrl, toAttachment } from './attachment.ts'
export { findTools } from './tools.ts'
