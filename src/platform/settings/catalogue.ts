/**
 * The type of a setting. A `names` setting is a list of `user` or `user@domain`; an `integer` may
 * be blank (null).
 */
export type Setting = { readonly group: SettingGroup; readonly meaning: string } & (
  | { readonly type: 'boolean'; readonly default: boolean }
  | { readonly type: 'choice'; readonly values: readonly string[]; readonly default: string }
  | { readonly type: 'integer'; readonly min: number; readonly max: number; readonly default: number | null }
  | {
      readonly type: 'text'
      readonly maxLength: number
      readonly format?: 'email' | 'url' | 'name'
      readonly default: string
    }
  | { readonly type: 'names'; readonly default: readonly string[] }
)

export const SETTING_GROUPS = ['registrations', 'access', 'site', 'trends', 'discovery', 'retention'] as const
export type SettingGroup = (typeof SETTING_GROUPS)[number]

const FEED_ACCESS = ['public', 'authenticated', 'disabled'] as const
const TOPIC_ACCESS = ['public', 'authenticated'] as const
const AUDIENCE = ['disabled', 'users', 'all'] as const
const LONG_TEXT = 100_000

/**
 * The settings that an administrator can change while the server runs, with types, defaults and
 * descriptions. They are Mastodon's, plus `auto_follow_accounts`, `spam_phrases` and
 * `email_subscriptions`. One default differs: `site_title` is this software's name.
 */
export const SETTINGS = {
  registrations_mode: {
    group: 'registrations',
    type: 'choice',
    values: ['open', 'approved', 'none'],
    default: 'none',
    meaning: 'who may sign up: all (open), with approval (approved), with an invite only (none)',
  },
  require_invite_text: {
    group: 'registrations',
    type: 'boolean',
    default: false,
    meaning: 'a reason must be given when sign-ups need approval',
  },
  closed_registrations_message: {
    group: 'registrations',
    type: 'text',
    maxLength: LONG_TEXT,
    default: '',
    meaning: 'shown while sign-ups are closed; Markdown',
  },
  min_age: {
    group: 'registrations',
    type: 'integer',
    min: 1,
    max: 150,
    default: null,
    meaning: 'minimum age in years; if set, sign-up requires the date of birth',
  },
  captcha_enabled: {
    group: 'registrations',
    type: 'boolean',
    default: false,
    meaning:
      'newcomers solve a captcha before their address is confirmed; needs the keys HCAPTCHA_SITE_KEY and _SECRET_KEY',
  },
  local_live_feed_access: {
    group: 'access',
    type: 'choice',
    values: FEED_ACCESS,
    default: 'public',
    meaning: 'who may read local posts in the public timeline',
  },
  remote_live_feed_access: {
    group: 'access',
    type: 'choice',
    values: FEED_ACCESS,
    default: 'public',
    meaning: 'who may read posts of other servers in the public timeline',
  },
  local_topic_feed_access: {
    group: 'access',
    type: 'choice',
    values: TOPIC_ACCESS,
    default: 'public',
    meaning: 'who may read local posts in hashtag and link timelines',
  },
  remote_topic_feed_access: {
    group: 'access',
    type: 'choice',
    values: FEED_ACCESS,
    default: 'public',
    meaning: 'who may read posts of other servers in hashtag and link timelines',
  },
  disallow_unauthenticated_api_access: {
    group: 'access',
    type: 'boolean',
    default: false,
    meaning: 'every API request needs a signed-in user',
  },
  limited_federation_mode: {
    group: 'access',
    type: 'boolean',
    default: false,
    meaning:
      'federate with allowed domains only; implies authorized_fetch; the API and public pages need a signed-in user',
  },
  authorized_fetch: {
    group: 'access',
    type: 'boolean',
    default: false,
    meaning: 'reject requests for ActivityPub documents without a signature',
  },
  spam_phrases: {
    group: 'access',
    type: 'text',
    maxLength: LONG_TEXT,
    default: '',
    meaning: 'one per line: posts with one of them to users who do not follow the author are dropped silently',
  },
  site_title: { group: 'site', type: 'text', maxLength: 200, default: 'Millrace', meaning: 'name of the server' },
  site_short_description: {
    group: 'site',
    type: 'text',
    maxLength: 200,
    default: '',
    meaning: 'one paragraph about the server; plain text',
  },
  site_description: {
    group: 'site',
    type: 'text',
    maxLength: LONG_TEXT,
    default: '',
    meaning: 'longer description in the older instance document',
  },
  site_extended_description: {
    group: 'site',
    type: 'text',
    maxLength: LONG_TEXT,
    default: '',
    meaning: 'text of the about page; Markdown',
  },
  site_terms: {
    group: 'site',
    type: 'text',
    maxLength: LONG_TEXT,
    default: '',
    meaning: 'privacy policy; Markdown',
  },
  site_contact_username: {
    group: 'site',
    type: 'text',
    format: 'name',
    maxLength: 320,
    default: '',
    meaning: 'account to contact: user or user@domain',
  },
  site_contact_email: {
    group: 'site',
    type: 'text',
    format: 'email',
    maxLength: 320,
    default: '',
    meaning: 'e-mail address to contact',
  },
  status_page_url: {
    group: 'site',
    type: 'text',
    format: 'url',
    maxLength: 2000,
    default: '',
    meaning: 'URL of a status page for the server',
  },
  thumbnail_description: {
    group: 'site',
    type: 'text',
    maxLength: 200,
    default: '',
    meaning: 'alternative text of the server banner',
  },
  theme: {
    group: 'site',
    type: 'choice',
    values: ['system', 'light', 'dark'],
    default: 'system',
    meaning: "colour scheme of pages: the visitor's preference, light or dark",
  },
  custom_css: {
    group: 'site',
    type: 'text',
    maxLength: LONG_TEXT,
    default: '',
    meaning: 'additional CSS for all pages',
  },
  trends: { group: 'trends', type: 'boolean', default: true, meaning: 'show what is trending' },
  trendable_by_default: {
    group: 'trends',
    type: 'boolean',
    default: false,
    meaning: 'tags, links and posts may trend without review',
  },
  bootstrap_timeline_accounts: {
    group: 'discovery',
    type: 'names',
    default: [],
    meaning: 'accounts recommended to new users',
  },
  auto_follow_accounts: {
    group: 'discovery',
    type: 'names',
    default: [],
    meaning: 'accounts that new users follow from the start; recommended as well',
  },
  profile_directory: {
    group: 'discovery',
    type: 'boolean',
    default: true,
    meaning: 'the directory of discoverable accounts',
  },
  activity_api_enabled: {
    group: 'discovery',
    type: 'boolean',
    default: true,
    meaning: 'publish weekly usage figures',
  },
  peers_api_enabled: {
    group: 'discovery',
    type: 'boolean',
    default: true,
    meaning: 'publish the list of known servers',
  },
  show_domain_blocks: {
    group: 'discovery',
    type: 'choice',
    values: AUDIENCE,
    default: 'disabled',
    meaning: 'who may read the list of blocked domains',
  },
  show_domain_blocks_rationale: {
    group: 'discovery',
    type: 'choice',
    values: AUDIENCE,
    default: 'disabled',
    meaning: 'who may read why a domain is blocked',
  },
  noindex: {
    group: 'discovery',
    type: 'boolean',
    default: false,
    meaning: 'new users are not indexed by search engines',
  },
  preview_sensitive_media: {
    group: 'discovery',
    type: 'boolean',
    default: false,
    meaning: 'link previews of sensitive posts show their media',
  },
  allow_referrer_origin: {
    group: 'discovery',
    type: 'boolean',
    default: false,
    meaning: 'send the Referer header to other sites',
  },
  landing_page: {
    group: 'discovery',
    type: 'choice',
    values: ['trends', 'overview', 'about', 'local_feed'],
    default: 'trends',
    meaning: 'content of the start page',
  },
  email_subscriptions: {
    group: 'discovery',
    type: 'boolean',
    default: false,
    meaning: 'members whose role permits it can offer their public posts by e-mail',
  },
  wrapstodon: { group: 'discovery', type: 'boolean', default: true, meaning: 'yearly reports in December' },
  media_cache_retention_period: {
    group: 'retention',
    type: 'integer',
    min: 1,
    max: 36_500,
    default: null,
    meaning: 'days until cached remote media is removed; blank: never',
  },
  content_cache_retention_period: {
    group: 'retention',
    type: 'integer',
    min: 1,
    max: 36_500,
    default: null,
    meaning: 'days until remote posts without local interaction are deleted; blank: never',
  },
  backups_retention_period: {
    group: 'retention',
    type: 'integer',
    min: 1,
    max: 36_500,
    default: 7,
    meaning: "days until a user's archive is removed; blank: never",
  },
} as const satisfies Record<string, Setting>

type Catalogue = typeof SETTINGS
export type SettingKey = keyof Catalogue

type ValueOf<S extends Setting> = S extends { type: 'boolean' }
  ? boolean
  : S extends { type: 'choice'; values: readonly (infer V)[] }
    ? V
    : S extends { type: 'integer' }
      ? number | null
      : S extends { type: 'names' }
        ? readonly string[]
        : string

export type SettingValues = { readonly [K in SettingKey]: ValueOf<Catalogue[K]> }
export type SettingValue = SettingValues[SettingKey]

/**
 * The four settings behind Mastodon's old setting `timeline_preview`: true sets them to `public`,
 * false to `authenticated`.
 */
export const TIMELINE_PREVIEW = [
  'local_live_feed_access',
  'remote_live_feed_access',
  'local_topic_feed_access',
  'remote_topic_feed_access',
] as const satisfies readonly SettingKey[]

export const isSettingKey = (key: string): key is SettingKey => Object.hasOwn(SETTINGS, key)
