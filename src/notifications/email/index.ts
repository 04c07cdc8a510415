/**
 * E-mails about notifications. The transaction that creates a notification stores its e-mail
 * (sql/functions/enqueue_mail.sql), due two minutes later; a process that streams the notification
 * to its recipient cancels it.
 */
export { isMailType, type MailType } from './type.ts'
export { pendingEmails } from './cancel_pending.ts'
