/**
 * Uploaded files and custom emojis. May import core and platform. Begin with
 * `attachments/upload.ts`.
 */
export { downloadFile } from './remote_file.ts'
