/**
 * Files that people upload, and custom emojis. It imports core and platform. Begin with `attachments/upload.ts`.
 */
export {}
