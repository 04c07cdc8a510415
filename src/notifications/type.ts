/** All types of notifications. */
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

/** The types with a status. */
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
