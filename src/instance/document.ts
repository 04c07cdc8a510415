import { renderAccount } from '../accounts/index.ts'
import { openCampaign } from '../annual_reports/index.ts'
import { c, query } from '../database/index.ts'
import { Json, toText } from '../http/index.ts'
import type { Id } from '../id.ts'
import type { Services } from '../services.ts'
import { canTranslate } from '../translation/index.ts'
import { LIMITS } from './limits.ts'
import { renderMarkdown } from './markdown.ts'
import { ICON_SIZES, iconPath, PREVIEW_PATH } from './pictures.ts'
import { statistics } from './statistics.ts'
import { MASTODON_API_VERSION, SOURCE_URL, VERSION } from './version.ts'

const listRules = query(
  'instance/rules',
  {},
  {
    id: c.id,
    text: c.text,
    hint: c.text,
    translations: c.json<Record<string, { text: string; hint: string }>>(),
  },
)
const findContact = query('instance/contact', { username: c.text }, { id: c.id })

export interface Rule {
  id: Id
  text: string
  hint: string
  translations: Record<string, { text: string; hint: string }>
}

export const renderRules = (services: Services): Promise<Rule[]> => services.database.run(listRules, {})

/** The account named in `site_contact_username`, or null. A leading @ and the local domain may stand in the setting. */
async function contactAccount(services: Services): Promise<Json> {
  const setting = services.settings.get('site_contact_username').replace(/^@/, '')
  const [username = '', domain] = setting.split('@')
  if (username === '' || (domain !== undefined && domain !== services.config.localDomain)) return new Json('null')
  const found = await services.database.one(findContact, { username })
  return (found && (await renderAccount(services, null, found.id))) ?? new Json('null')
}

/** Appends members that are already JSON to an object. */
function withMembers(object: object, members: Readonly<Record<string, Json>>): Json {
  const more = Object.entries(members).map(([name, value]) => `,${JSON.stringify(name)}:${value.text}`)
  return new Json(`${toText(object).slice(0, -1)}${more.join('')}}`)
}

const DESCRIPTION = 'A mill wheel over water'
const DEFAULT_LOCALE = 'en'

function registrations(services: Services): object {
  const { settings } = services
  const mode = settings.get('registrations_mode')
  const message = settings.get('closed_registrations_message')
  return {
    enabled: mode !== 'none',
    approval_required: mode === 'approved',
    reason_required: mode === 'approved' && settings.get('require_invite_text'),
    message: mode === 'none' && message !== '' ? renderMarkdown(message) : null,
    min_age: settings.get('min_age'),
    url: null,
  }
}

function configuration(services: Services): object {
  const { config, settings, secrets } = services
  const live = { local: settings.get('local_live_feed_access'), remote: settings.get('remote_live_feed_access') }
  const topic = { local: settings.get('local_topic_feed_access'), remote: settings.get('remote_topic_feed_access') }
  return {
    urls: {
      streaming: config.streamingUrl,
      status: settings.get('status_page_url') || null,
      about: `${config.publicUrl}/about`,
      privacy_policy: `${config.publicUrl}/privacy-policy`,
      terms_of_service: null,
    },
    vapid: { public_key: secrets.vapid.publicKey },
    ...LIMITS,
    translation: { enabled: canTranslate(services) },
    timelines_access: { live_feeds: live, hashtag_feeds: topic, trending_link_feeds: topic },
    limited_federation: settings.get('limited_federation_mode'),
  }
}

/** Entity Instance, as GET /api/v2/instance answers it. */
export async function renderInstance(services: Services): Promise<Json> {
  const { config, settings } = services
  const [figures, rules, contact] = await Promise.all([
    statistics(services)(),
    renderRules(services),
    contactAccount(services),
  ])
  const document = {
    domain: config.localDomain,
    title: settings.get('site_title'),
    version: VERSION,
    source_url: SOURCE_URL,
    description: settings.get('site_short_description'),
    usage: { users: { active_month: figures.active_month } },
    thumbnail: {
      url: `${config.publicUrl}${PREVIEW_PATH}`,
      description: settings.get('thumbnail_description') || DESCRIPTION,
    },
    icon: ICON_SIZES.map(size => ({ src: `${config.publicUrl}${iconPath(size)}`, size: `${size}x${size}` })),
    languages: [DEFAULT_LOCALE],
    configuration: configuration(services),
    registrations: registrations(services),
    api_versions: { mastodon: MASTODON_API_VERSION },
    wrapstodon: openCampaign(services),
  }
  const contactMember = withMembers({ email: settings.get('site_contact_email') }, { account: contact })
  return withMembers(document, { contact: contactMember, rules: new Json(toText(rules)) })
}

const EVERYONE_MAY_INVITE = 65536

const basePermissions = query('instance/base_permissions', {}, { permissions: c.integer })

/** Entity V1_Instance, as GET /api/v1/instance answers it. */
export async function renderInstanceV1(services: Services): Promise<Json> {
  const { config, settings } = services
  const [figures, rules, contact, base] = await Promise.all([
    statistics(services)(),
    renderRules(services),
    contactAccount(services),
    services.database.one(basePermissions, {}),
  ])
  const { description_limit: _, ...media } = LIMITS.media_attachments
  const document = {
    uri: config.localDomain,
    title: settings.get('site_title'),
    short_description: settings.get('site_short_description'),
    description: settings.get('site_description'),
    email: settings.get('site_contact_email'),
    version: VERSION,
    urls: { streaming_api: config.streamingUrl },
    stats: {
      user_count: figures.user_count,
      status_count: figures.status_count,
      domain_count: figures.domain_count,
    },
    thumbnail: `${config.publicUrl}${PREVIEW_PATH}`,
    languages: [DEFAULT_LOCALE],
    registrations: settings.get('registrations_mode') !== 'none',
    approval_required: settings.get('registrations_mode') === 'approved',
    invites_enabled: ((base?.permissions ?? 0) & EVERYONE_MAY_INVITE) !== 0,
    configuration: {
      accounts: { max_featured_tags: LIMITS.accounts.max_featured_tags },
      statuses: LIMITS.statuses,
      media_attachments: media,
      polls: LIMITS.polls,
    },
  }
  return withMembers(document, { contact_account: contact, rules: new Json(toText(rules)) })
}
