import { html, time, type Column, type Content } from '../../platform/ui/index.ts'
import type { Translator } from '../../platform/i18n/index.ts'
import type { LogEntry } from './entries.ts'

/** The actions of the log that have a translated name; others are shown as they are stored. */
export const ACTIONS = [
  'approve',
  'reject',
  'enable',
  'disable',
  'sensitive',
  'unsensitive',
  'silence',
  'unsilence',
  'suspend',
  'unsuspend',
  'create',
  'update',
  'destroy',
  'resolve',
  'reopen',
  'assigned_to_self',
  'unassigned',
  'confirm',
  'change_email',
  'change_role',
  'reset_password',
  'disable_2fa',
  'resend',
  'memorialize',
  'remove_avatar',
  'remove_header',
  'purge',
  'publish',
  'rotate_secret',
  'rotate_keys',
  'merge',
  'refresh',
  'recount',
  'self_destruct',
  'unpublish',
  'retry',
  'notify',
  'allow_trends',
  'forbid_trends',
  'backup',
  'follow_all',
  'unfollow_all',
  'reset_relationships',
  'migrate',
] as const satisfies readonly string[]

/** The kinds of targets, with the pages of those that have one. */
const TARGETS: Readonly<Record<string, ((id: string) => string) | undefined>> = {
  Account: id => `/admin/accounts/${id}`,
  User: undefined,
  AccountWarning: undefined,
  Report: id => `/admin/reports/${id}`,
  Status: id => `/admin/statuses/${id}`,
  Appeal: undefined,
  DomainBlock: id => `/admin/domain_blocks/${id}/edit`,
  DomainAllow: undefined,
  EmailDomainBlock: undefined,
  CanonicalEmailBlock: undefined,
  IpBlock: undefined,
  UsernameBlock: undefined,
  Tag: id => `/admin/tags/${id}`,
  CustomEmoji: undefined,
  Announcement: id => `/admin/announcements/${id}`,
  UserRole: id => `/admin/roles/${id}`,
  Rule: id => `/admin/rules/${id}`,
  Setting: undefined,
  SitePicture: undefined,
  TermsOfService: undefined,
  EmailSubscription: id => `/admin/accounts/${id}`,
  Invite: undefined,
  Job: undefined,
  Relay: undefined,
  Webhook: id => `/admin/webhooks/${id}`,
  AccountWarningPreset: undefined,
  Note: undefined,
  PreviewCard: undefined,
  LinkPublisher: undefined,
  Domain: undefined,
  Media: undefined,
}

export const TARGET_TYPES = Object.keys(TARGETS)

const translateName = (translator: Translator, key: string, stored: string): string =>
  translator.has(key) ? translator.t(key) : stored.replaceAll('_', ' ')

/** The name of an action. */
export const actionName = (translator: Translator, action: string): string =>
  translateName(translator, `audit_log.action.${action}`, action)

/** The name of a kind of target. */
export const targetTypeName = (translator: Translator, type: string): string =>
  translateName(translator, `audit_log.type.${type}`, type)

/** The columns of a table of entries. */
export const logColumns = ({ t }: Translator): Column[] => [
  { label: t('audit_log.time') },
  { label: t('audit_log.moderator') },
  { label: t('audit_log.action') },
  { label: t('audit_log.target') },
]

/** The cells of an entry, in the order of `logColumns`. */
export function entryCells(entry: LogEntry, translator: Translator): Content[] {
  const { account_id: moderator, action, target_type: type, target_id: target, target_name: name } = entry
  const page = target === null ? undefined : TARGETS[type]?.(target)
  return [
    time(entry.created_at, translator),
    moderator === null
      ? html`<span class="quiet">${translator.t('audit_log.operator')}</span>`
      : html`<a href="/admin/accounts/${moderator}">@${entry.moderator}</a>`,
    actionName(translator, action),
    html`${targetTypeName(translator, type)}
    ${page === undefined ? html`<bdi>${name}</bdi>` : html`<a href="${page}"><bdi>${name}</bdi></a>`}`,
  ]
}
