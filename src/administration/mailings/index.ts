/** Pages that send published terms of service or an announcement to all members by e-mail. */
export { mailingLink, mailingOperations } from './pages.ts'
