import type { TextKey } from '../../i18n/index.ts'

type Subject = Extract<TextKey, `email.${string}.subject`>

/** The kind of an e-mail: its texts are `email.KIND.subject`, `.text` and `.action`. */
export type EmailKind = Subject extends `email.${infer K}.subject` ? K : never

/**
 * E-mails without a secret, and the page each links to. E-mails with a secret link are sent by the
 * code that creates it.
 */
export const NOTICES = {
  password_changed: '/auth/password/new',
  email_changing: '/auth/edit',
  two_factor_enabled: '/auth/edit',
  two_factor_disabled: '/auth/edit',
  recovery_codes_changed: '/auth/edit',
  security_key_added: '/settings/security_keys',
  security_key_removed: '/settings/security_keys',
  suspicious_sign_in: '/auth/edit',
  failed_two_factor: '/auth/edit',
  welcome: '/',
  new_pending_account: '/admin/accounts?status=pending',
  new_appeal: '/admin/disputes/appeals',
  new_trends: '/admin/trends/tags',
  registrations_guarded: '/admin/settings/registrations',
  backup_ready: '/settings/exports',
} as const satisfies Partial<Record<EmailKind, string>>

export type NoticeKind = keyof typeof NOTICES

export const isNotice = (kind: unknown): kind is NoticeKind => typeof kind === 'string' && Object.hasOwn(NOTICES, kind)
