/**
 * E-mail subscriptions: visitors get an account's new public posts by e-mail. The setting of the
 * server, the role of the owner and the owner's own switch must all allow it. The event of a post
 * adds the first job (sql/functions/enqueue_subscription_emails.sql).
 */
export { subscribeForm } from './subscribe_pages.ts'
export { countSubscribers, listSubscribers, removeSubscribers } from './subscribers.ts'
