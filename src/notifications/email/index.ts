/**
 * Letters about notifications. The transaction that makes a notification enqueues a job for its letter (sql/functions/enqueue_mail.sql), which is due
 * two minutes later; until then a process that streams the notification to its recipient takes it away.
 */
export { withheld, type Withheld } from './cancel_pending.ts'
