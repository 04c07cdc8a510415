import { Feed } from 'feed'
import { findAccountStatuses, type AccountFragment } from '../../accounts/index.ts'
import { param, redirect, Response, type Context } from '../../platform/http/index.ts'
import type { Id } from '../../core/id.ts'
import { chooseLanguage, translatorFor, type Translator } from '../../platform/i18n/index.ts'
import { publicParts, readTag } from '../../timelines/index.ts'
import type { ShownAccount, ShownStatus, ShownTag } from './entities.ts'
import { PAGE_SIZE, readStatuses } from './feed.ts'
import { enclosureOf, itemHtml } from './rss_content.ts'

const SUFFIX = '.rss'

/** The number of posts in a feed; pages ignore it. */
export const feedLimit = () => param.limit(PAGE_SIZE, 200, { description: 'of posts, for feeds' })

/** How long feeds of accounts, and of hashtags, may be cached. */
const CACHE = { account: 'public, max-age=60', tag: 'public, max-age=0' } as const

/** The part of a path before `.rss`; undefined for the path of a page. */
export const withoutRssSuffix = (part: string): string | undefined =>
  part.endsWith(SUFFIX) ? part.slice(0, -SUFFIX.length) : undefined

/** Whether the client asks for RSS at the address of a page. */
export const wantsRss = ({ request }: Context): boolean =>
  /^application\/rss\+xml\b/.test(request.header('accept').trim())

/** The channel of a feed. */
interface Channel {
  readonly title: string
  readonly description: string
  /** The page that the feed belongs to. */
  readonly link: string
  readonly image?: string
}

/** The feeds of a profile: posts, posts and replies, posts with media, posts with a hashtag. */
export interface ProfileFeed {
  readonly tab: 'posts' | 'with_replies' | 'media' | undefined
  readonly tag?: string
  readonly limit?: number
}

/**
 * Public and unlisted posts of an account, without boosts. They are those that an anonymous visitor
 * sees.
 */
export async function profileRss(
  context: Context,
  account: AccountFragment,
  shown: ShownAccount,
  { tab, tag, limit = PAGE_SIZE }: ProfileFeed,
): Promise<Response> {
  const rows = await findAccountStatuses(context.database, {
    viewer: null,
    account: account.id,
    max_id: null,
    since_id: null,
    min_id: null,
    exclude_direct: true,
    pinned: false,
    limit,
    exclude_replies: tab !== 'with_replies',
    exclude_reblogs: true,
    only_media: tab === 'media',
    tagged: tag,
  })
  const acct = `${shown.username}@${context.config.localDomain}`
  const { t } = translatorOf(context)
  const channel = {
    title: shown.display_name || shown.username,
    description:
      tag === undefined ? t('rss.account', { name: `@${acct}` }) : t('rss.tagged', { name: `@${acct}`, tag }),
    link: shown.url,
    image: shown.avatar_static,
  }
  return rss(
    context,
    'account',
    channel,
    rows.map(row => row.id),
  )
}

/** The parameters of the feed of a hashtag. */
export interface TagFeed {
  readonly limit: number
  /** Only posts of this server. */
  readonly local: boolean
}

/** The posts with a hashtag that an anonymous visitor may read; none where nobody may. */
export async function tagRss(context: Context, { name, url }: ShownTag, { limit, local }: TagFeed): Promise<Response> {
  const open = publicParts(context.settings, 'topic')
  const parts = local ? { ...open, remote: false } : open
  const found = await readTag(context, null, parts, { names: [name], all: [], none: [] }, false, { limit })
  const channel = { title: `#${name}`, description: translatorOf(context).t('rss.tag', { tag: name }), link: url }
  return rss(context, 'tag', channel, found.ids)
}

/** A feed is the same for all readers, so its texts are in the server's language. */
const translatorOf = ({ config }: Context): Translator => translatorFor(chooseLanguage(config.defaultLocale))

/** Where posts are for signed-in users only, a reader of feeds is redirected to sign-in. */
export const closedFeed = ({ settings }: Pick<Context, 'settings'>): Response | undefined =>
  settings.get('limited_federation_mode') ? redirect('/auth/sign_in') : undefined

async function rss(
  context: Context,
  about: keyof typeof CACHE,
  channel: Channel,
  statuses: readonly Id[],
): Promise<Response> {
  const closed = closedFeed(context)
  if (closed) return closed
  const shown = await readStatuses(context, { viewer: null }, statuses)
  const feed = new Feed({
    ...channel,
    id: channel.link,
    generator: 'Millrace',
    copyright: '',
    feedLinks: {},
    ...(shown[0] && { updated: new Date(shown[0].created_at) }),
  })
  for (const status of shown) addItem(feed, status, translatorOf(context))
  return new Response(200, 'application/rss+xml; charset=utf-8', xmlText(feed.rss2()), {
    'Cache-Control': CACHE[about],
    Vary: 'Accept',
  })
}

/** Removes the characters that XML 1.0 cannot contain. */
// oxlint-disable-next-line no-control-regex -- these are the characters
const xmlText = (text: string): string => text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')

function addItem(feed: Feed, status: ShownStatus, translator: Translator): void {
  const link = status.url ?? ''
  const enclosure = enclosureOf(status)
  feed.addItem({
    title: '',
    id: link,
    link,
    date: new Date(status.created_at),
    description: itemHtml(status, translator),
    category: status.tags.map(({ name }) => ({ name })),
    ...(enclosure && { enclosure }),
  })
}
