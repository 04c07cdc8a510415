/**
 * Letters about notifications. The transaction that makes a notification enqueues a job for its letter (sql/migrations/0047), which is due
 * two minutes later; until then a process that streams the notification to its recipient takes it away.
 */
export { withheld, type Withheld } from './withhold.ts'
