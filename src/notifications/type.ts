/** Every type that a notification may have (api/entities/Notification.json). */
export const NOTIFICATION_TYPES = [
  'mention',
  'status',
  'reblog',
  'follow',
  'follow_request',
  'favourite',
  'poll',
  'update',
  'severed_relationships',
  'moderation_warning',
  'annual_report',
  'admin.sign_up',
  'admin.report',
  'quote',
  'quoted_update',
  'added_to_collection',
  'collection_update',
] as const

export type NotificationType = (typeof NOTIFICATION_TYPES)[number]

/** Those that carry the status that they are about. */
export const TYPES_WITH_STATUS: ReadonlySet<string> = new Set<NotificationType>([
  'mention',
  'status',
  'reblog',
  'favourite',
  'poll',
  'update',
  'quote',
  'quoted_update',
])
