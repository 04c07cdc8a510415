/** The types of notifications that there are letters about (api/delivery.md, section 4, point 5); the trigger `notification_mailed` has them too. */
export const MAIL_TYPES = ['mention', 'quote', 'follow', 'follow_request', 'favourite', 'reblog'] as const

export type MailType = (typeof MAIL_TYPES)[number]

export const isMailType = (type: unknown): type is MailType => (MAIL_TYPES as readonly unknown[]).includes(type)
