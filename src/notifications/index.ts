/**
 * Notifications: lists and groups, push and e-mail, and the policy that filters them. It imports
 * instance and everything before that. Start with `render.ts` and `push/send.ts`.
 */
export { renderNotification } from './render.ts'

export { NOTIFICATION_TYPES, TYPES_WITH_STATUS } from './type.ts'
