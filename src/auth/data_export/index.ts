/** Data export: CSV lists, and an archive of all posts. */
export { csvLine } from './csv.ts'
export { requestArchive } from './request.ts'
