/**
 * E-mails about notifications. The transaction that creates a notification enqueues its e-mail
 * (sql/functions/enqueue_mail.sql), due two minutes later; a process that streams the notification
 * to its recipient cancels it.
 */
export { pendingEmails } from './cancel_pending.ts'
