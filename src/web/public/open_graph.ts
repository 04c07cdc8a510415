import { NO_PREVIEW_PATH } from '../../media/attachments/index.ts'
import { PREVIEW_PATH, sitePicture } from '../../instance/index.ts'
import type { Services } from '../../platform/services.ts'
import { cutCodePoints, htmlToText } from '../../core/text/index.ts'
import { html, type Content, type Html } from '../../platform/ui/index.ts'
import type { ShownAccount, ShownMedia, ShownStatus } from './entities.ts'

/** Link previews for other sites and applications (ogp.me). */

const MAX_DESCRIPTION_LENGTH = 400

const property = (name: string, content: string | number | undefined): Content =>
  content !== undefined && content !== '' && html`<meta property="${name}" content="${content}" />`

/** Asks search engines not to index accounts that opted out, or all if that is the default. */
export const robots = ({ noindex = false }: Pick<ShownAccount, 'noindex'>): Content =>
  noindex && html`<meta name="robots" content="noindex, noarchive" />`

/** For pages that show posts or profiles of several people, some of whom may have opted out. */
export const notForSearch = robots({ noindex: true })

const fullName = ({ display_name: name, username, acct }: ShownAccount, localDomain: string): string =>
  `${name || username} (@${acct.includes('@') ? acct : `${acct}@${localDomain}`})`

const describe = (text: string): string => cutCodePoints(text.replace(/\s+/g, ' ').trim(), MAX_DESCRIPTION_LENGTH)

/** A status in one line; only the content warning if there is one. */
export const summaryOf = ({ spoiler_text: warning, content }: ShownStatus): string =>
  describe(warning || htmlToText(content))

/**
 * The link preview and the one address of a page about the server, for sites and search engines.
 * @param path of the page, without a query
 */
export async function siteCard(services: Services, title: string, path: string, about?: string): Promise<Html> {
  const { settings, config } = services
  const url = `${config.publicUrl}${path}`
  const description = describe(about || settings.get('site_short_description'))
  const own = await sitePicture(services, 'thumbnail')
  return html`<link rel="canonical" href="${url}" />
    ${description !== '' && html`<meta name="description" content="${description}" />`}
    ${property('og:site_name', settings.get('site_title'))} ${property('og:type', 'website')}
    ${property('og:title', title)} ${property('og:url', url)} ${property('og:description', description)}
    ${property('og:image', own ?? `${config.publicUrl}${PREVIEW_PATH}`)} ${property('og:image:width', 1200)}
    ${property('og:image:height', 630)}
    ${own !== undefined && property('og:image:alt', settings.get('thumbnail_description'))}
    ${property('twitter:card', 'summary_large_image')}`
}

export function profileCard(account: ShownAccount, { settings, config }: Services): Html {
  return html`${property('og:site_name', settings.get('site_title'))} ${property('og:type', 'profile')}
  ${property('og:title', fullName(account, config.localDomain))} ${property('og:url', account.url)}
  ${property('og:description', describe(htmlToText(account.note)))} ${property('og:image', account.avatar_static)}
  ${property('profile:username', `${account.username}@${config.localDomain}`)} ${property('twitter:card', 'summary')}`
}

/**
 * Sensitive media are included only if `preview_sensitive_media` is on; otherwise the author's
 * picture is.
 */
export function statusCard(status: ShownStatus, { settings, config }: Services): Html {
  const { account, sensitive, spoiler_text: warning, language } = status
  const showsMedia = (!sensitive && warning === '') || settings.get('preview_sensitive_media')
  const media = showsMedia ? status.media_attachments : []
  const pictures = media.some(item => pictureOf(item) !== null)
  return html`${property('og:site_name', settings.get('site_title'))} ${property('og:type', 'article')}
  ${property('og:title', fullName(account, config.localDomain))} ${property('og:url', status.url ?? '')}
  ${property('og:published_time', status.created_at)} ${property('og:description', summaryOf(status))}
  ${property('og:locale', language ?? undefined)} ${media.map(mediaCard)}
  ${!pictures && property('og:image', account.avatar_static)}
  ${property('twitter:card', pictures ? 'summary_large_image' : 'summary')}`
}

/** The preview of a file, unless it is that of all files without one. */
const pictureOf = ({ preview_url: preview }: ShownMedia): string | null =>
  preview?.endsWith(NO_PREVIEW_PATH) === true ? null : preview

function mediaCard(item: ShownMedia): Html {
  const { type, url, description, meta } = item
  const preview = pictureOf(item)
  const { width, height } = meta?.small ?? {}
  const kind = type === 'video' || type === 'gifv' ? 'og:video' : type === 'audio' ? 'og:audio' : undefined
  return html`${
    preview !== null && [
      property('og:image', preview),
      property('og:image:width', width),
      property('og:image:height', height),
      property('og:image:alt', description ?? undefined),
    ]
  }
  ${kind !== undefined && property(kind, url ?? undefined)}`
}
