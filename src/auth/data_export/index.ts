/** What people take with them of their own data: lists as tables, and an archive of all they have posted. */
export { requestArchive } from './request.ts'
