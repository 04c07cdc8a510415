/**
 * The types of notifications that are sent by e-mail; the check of `users.mail_types` has the same
 * list.
 */
export const MAIL_TYPES = ['mention', 'quote', 'follow', 'follow_request', 'favourite', 'reblog'] as const

export type MailType = (typeof MAIL_TYPES)[number]

export const isMailType = (type: unknown): type is MailType => (MAIL_TYPES as readonly unknown[]).includes(type)
