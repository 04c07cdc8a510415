import type { SettingKey } from '../../platform/settings/index.ts'
import type { SitePictureName } from '../../instance/index.ts'

/** The content of a page of settings. */
interface PageContent {
  readonly keys: readonly SettingKey[]
  readonly pictures?: readonly SitePictureName[]
}

/** The pages of settings. Every setting and every picture is on one of them. */
const SETTINGS_PAGES = {
  branding: {
    keys: [
      'site_title',
      'site_short_description',
      'site_contact_username',
      'site_contact_email',
      'status_page_url',
      'thumbnail_description',
    ],
    pictures: ['thumbnail', 'app_icon', 'favicon'],
  },
  about: {
    keys: [
      'site_extended_description',
      'site_terms',
      'site_description',
      'show_domain_blocks',
      'show_domain_blocks_rationale',
    ],
  },
  registrations: {
    keys: ['registrations_mode', 'require_invite_text', 'closed_registrations_message', 'min_age', 'captcha_enabled'],
  },
  discovery: {
    keys: [
      'trends',
      'trendable_by_default',
      'landing_page',
      'bootstrap_timeline_accounts',
      'auto_follow_accounts',
      'profile_directory',
      'activity_api_enabled',
      'peers_api_enabled',
      'noindex',
      'preview_sensitive_media',
      'allow_referrer_origin',
      'email_subscriptions',
      'wrapstodon',
    ],
  },
  access: {
    keys: [
      'local_live_feed_access',
      'remote_live_feed_access',
      'local_topic_feed_access',
      'remote_topic_feed_access',
      'disallow_unauthenticated_api_access',
      'limited_federation_mode',
      'authorized_fetch',
      'spam_phrases',
    ],
  },
  content_retention: {
    keys: ['media_cache_retention_period', 'content_cache_retention_period', 'backups_retention_period'],
  },
  appearance: { keys: ['theme', 'custom_css'], pictures: ['mascot'] },
} as const satisfies Record<string, PageContent>

export type PageName = keyof typeof SETTINGS_PAGES

export const PAGE_NAMES = Object.keys(SETTINGS_PAGES).filter((name): name is PageName =>
  Object.hasOwn(SETTINGS_PAGES, name),
)

export const pagePath = (name: PageName): string => `/admin/settings/${name}`

/** The settings whose text is shown as Markdown. */
export const MARKDOWN_SETTINGS: ReadonlySet<SettingKey> = new Set([
  'site_extended_description',
  'site_terms',
  'closed_registrations_message',
])

/** The settings that the form requires, although the catalogue allows a blank value. */
export const REQUIRED_SETTINGS: ReadonlySet<SettingKey> = new Set(['site_contact_username', 'site_contact_email'])

export const settingsOn = (name: PageName): readonly SettingKey[] => SETTINGS_PAGES[name].keys

export function picturesOn(name: PageName): readonly SitePictureName[] {
  const page: PageContent = SETTINGS_PAGES[name]
  return page.pictures ?? []
}

/** The page that shows a picture. */
export const findPicturePage = (picture: SitePictureName): PageName =>
  PAGE_NAMES.find(name => picturesOn(name).includes(picture)) ?? 'branding'
