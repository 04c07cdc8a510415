/** Data export: CSV lists, and an archive of all posts. */
export { requestArchive } from './request.ts'
