/** E-mails to all members, about published terms of service or a published announcement. */
export { composeMailing, readContent, type MailingSubject } from './compose.ts'
export {
  countMailingRecipients,
  findMailingProgress,
  startMailing,
  testMailing,
  type MailingProgress,
} from './start.ts'
