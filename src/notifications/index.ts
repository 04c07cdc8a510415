/** What people are told: who mentioned, followed, favourited … them. */
export { renderNotification, renderNotifications, type NotificationOptions } from './render.ts'
export type { NotificationRow } from './row.ts'
export { NOTIFICATION_TYPES, TYPES_WITH_STATUS, type NotificationType } from './type.ts'
