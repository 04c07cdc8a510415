import { hasPermission } from '../core/permissions.ts'
import { accountFragments, findByHandle, isVisibleTo, renderAccount } from '../accounts/index.ts'
import { openCampaign } from './annual_reports/index.ts'
import { c, query } from '../platform/database/index.ts'
import { Json, toText } from '../platform/http/index.ts'
import type { Services } from '../platform/services.ts'
import { registrationsMode } from '../platform/settings/index.ts'
import { canTranslate } from '../statuses/translation/index.ts'
import { LIMITS } from '../core/limits.ts'
import { renderMarkdown } from '../core/text/index.ts'
import { iconPath, PREVIEW_PATH } from './pictures.ts'
import { renderRules } from './rules/index.ts'
import { ICON_SIDES, sitePictures, type SitePicture } from './site_pictures.ts'
import { hasTerms } from './terms/index.ts'
import { statistics } from './statistics.ts'
import { MASTODON_API_VERSION, sourceUrl, VERSION } from './version.ts'

/** The account in `site_contact_username`; null if it does not exist or is not public. */
async function contactAccount(services: Services): Promise<Json> {
  const id = await findByHandle(services, services.settings.get('site_contact_username'))
  const account = id === undefined ? undefined : await accountFragments(services).one(id)
  if (!account || account.suspended || !isVisibleTo(account, null)) return new Json('null')
  return (await renderAccount(services, null, account.id)) ?? new Json('null')
}

/** Appends members that are already JSON to an object. */
function withMembers(object: object, members: Readonly<Record<string, Json>>): Json {
  const more = Object.entries(members).map(([name, value]) => `,${JSON.stringify(name)}:${value.text}`)
  return new Json(`${toText(object).slice(0, -1)}${more.join('')}}`)
}

const DESCRIPTION = 'A mill wheel over water'

function registrations(services: Services): object {
  const { settings } = services
  const mode = registrationsMode(services)
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

function configuration(services: Services, withTerms: boolean): object {
  const { config, settings, secrets } = services
  const live = { local: settings.get('local_live_feed_access'), remote: settings.get('remote_live_feed_access') }
  const topic = { local: settings.get('local_topic_feed_access'), remote: settings.get('remote_topic_feed_access') }
  return {
    urls: {
      streaming: config.streamingUrl,
      status: settings.get('status_page_url') || null,
      about: `${config.publicUrl}/about`,
      privacy_policy: `${config.publicUrl}/privacy-policy`,
      terms_of_service: withTerms ? `${config.publicUrl}/terms-of-service` : null,
    },
    vapid: { public_key: secrets.vapid.publicKey },
    ...LIMITS,
    translation: { enabled: canTranslate(services) },
    timelines_access: { live_feeds: live, hashtag_feeds: topic, trending_link_feeds: topic },
    limited_federation: settings.get('limited_federation_mode'),
  }
}

function thumbnail({ config, settings }: Services, own: SitePicture | undefined): object {
  const description = settings.get('thumbnail_description') || DESCRIPTION
  if (!own) return { url: `${config.publicUrl}${PREVIEW_PATH}`, description }
  return { url: own.urls['@1x'], blurhash: own.blurhash, versions: own.urls, description }
}

/** The entity Instance, for GET /api/v2/instance. */
export async function renderInstance(services: Services): Promise<Json> {
  const { config, settings } = services
  const [own, figures, rules, contact, withTerms] = await Promise.all([
    sitePictures(services)(),
    statistics(services)(),
    renderRules(services),
    contactAccount(services),
    hasTerms(services),
  ])
  const document = {
    domain: config.localDomain,
    title: settings.get('site_title'),
    version: VERSION,
    source_url: sourceUrl(config),
    description: settings.get('site_short_description'),
    usage: { users: { active_month: figures.active_month } },
    thumbnail: thumbnail(services, own['thumbnail']),
    icon: iconsFrom(own, config.publicUrl),
    languages: [config.defaultLocale],
    configuration: configuration(services, withTerms),
    registrations: registrations(services),
    api_versions: { mastodon: MASTODON_API_VERSION },
    wrapstodon: openCampaign(services),
  }
  const contactMember = withMembers({ email: settings.get('site_contact_email') }, { account: contact })
  return withMembers(document, { contact: contactMember, rules: new Json(toText(rules)) })
}

const basePermissions = query('instance/base_permissions', {}, { permissions: c.integer })

/** The entity V1_Instance, for GET /api/v1/instance. */
export async function renderInstanceV1(services: Services): Promise<Json> {
  const { config, settings } = services
  const [own, figures, rules, contact, base] = await Promise.all([
    sitePictures(services)(),
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
    thumbnail: own['thumbnail']?.urls['@1x'] ?? `${config.publicUrl}${PREVIEW_PATH}`,
    languages: [config.defaultLocale],
    registrations: registrationsMode(services) !== 'none',
    approval_required: registrationsMode(services) === 'approved',
    invites_enabled: hasPermission(base, 'invite_users'),
    configuration: {
      accounts: { max_featured_tags: LIMITS.accounts.max_featured_tags },
      statuses: LIMITS.statuses,
      media_attachments: media,
      polls: LIMITS.polls,
    },
  }
  return withMembers(document, { contact_account: contact, rules: new Json(toText(rules)) })
}

const iconsFrom = (own: Awaited<ReturnType<ReturnType<typeof sitePictures>>>, publicUrl: string) =>
  ICON_SIDES.map(side => ({
    src: own['app_icon']?.urls[side] ?? `${publicUrl}${iconPath(side)}`,
    size: `${side}x${side}`,
  }))

/** The server's icons in all sizes, as the entity InstanceIcon. */
export const instanceIcons = async (services: Services): Promise<{ src: string; size: string }[]> =>
  iconsFrom(await sitePictures(services)(), services.config.publicUrl)
