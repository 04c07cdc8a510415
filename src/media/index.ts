export { type AttachmentRow, type FileUrl, toAttachment } from './attachment.ts'
