/** Pages that send published terms of service or an announcement to all users by e-mail. */
export { mailingLink, mailingOperations } from './pages.ts'
