/**
 * What people are notified of, in lists and groups, by push and by e-mail, and the policy that filters it. It imports
 * instance and what stands before it. Begin with `render.ts` and `push/send.ts`.
 */
export { renderNotification, renderNotifications, type NotificationOptions } from './render.ts'
export type { NotificationRow } from './row.ts'
export { NOTIFICATION_TYPES, TYPES_WITH_STATUS, type NotificationType } from './type.ts'
