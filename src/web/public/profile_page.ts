import {
  featuredTagsOf,
  findAccountStatuses,
  isVisibleTo,
  renderAccount,
  type AccountFragment,
  type FeaturedTag,
} from '../../accounts/index.ts'
import { ApiError } from '../../core/errors.ts'
import { operation, param, redirect, type Response, type Context } from '../../platform/http/index.ts'
import type { Id } from '../../core/id.ts'
import { showActor, wantsDocument } from '../../federation/index.ts'
import { subscribeForm } from '../../notifications/email_subscriptions/index.ts'
import { html, type Content, type Html, type Page } from '../../platform/ui/index.ts'
import { displayTag } from '../../core/text/index.ts'
import { PUBLIC_PAGE } from './declaration.ts'
import { parseAccount } from './entities.ts'
import { feedHtml, originsOfAll, PAGE_SIZE, readFeed, readStatuses } from './feed.ts'
import { notForSearch, profileCard, robots } from './open_graph.ts'
import { findNamed, findProfile } from './find_profile.ts'
import { profileHtml } from './profile_html.ts'
import { closedFeed, feedLimit, profileRss, wantsRss, withoutRssSuffix } from './rss.ts'
import { statusArticle } from './status_html.ts'
import { STYLE } from './style.ts'
import { documentLink, showPublicly, type Visitor } from './public_page.ts'

const TABS = ['posts', 'with_replies', 'media'] as const
type Tab = (typeof TABS)[number]

/** Tabs that exist only in clients; here they show the profile. */
const OTHER_TABS = ['featured', 'collections', 'followers', 'following'].map(name => `/:account/${name}`)

/** The part of a profile that is shown: a tab, or the statuses with a hashtag. */
interface Part {
  readonly tab: Tab | undefined
  readonly tag?: string
  readonly max_id: Id | undefined
  /** Of a feed. */
  readonly limit?: number
}

const max_id = param.cursor({ description: 'older than this' })
const limit = feedLimit()

// The first part of each path is @NAME, which the router cannot express.
const tabOperation = (tab: Tab, path: string | readonly string[], summary: string) =>
  operation({
    ...PUBLIC_PAGE,
    path,
    summary,
    params: { account: param.string(), max_id, limit },
    handle: ({ account, max_id: below, limit: most }, context) =>
      showProfile(context, account, { tab, max_id: below, limit: most }),
  })

const feedOperation = (tab: Tab, path: string, summary: string) =>
  operation({
    ...PUBLIC_PAGE,
    path,
    summary,
    params: { account: param.string(), limit },
    returns: 'application/rss+xml',
    handle: ({ account, limit: most }, context) => showFeed(context, account, { tab, limit: most }),
  })

/** Profile pages. */
export const profilePages = [
  tabOperation('posts', ['/:account', ...OTHER_TABS], 'A profile as a page'),
  tabOperation('with_replies', '/:account/with_replies', 'A profile as a page, with replies'),
  tabOperation('media', '/:account/media', 'A profile as a page, posts with media'),
  feedOperation('with_replies', '/:account/with_replies.rss', 'Posts and replies of an account as RSS'),
  feedOperation('media', '/:account/media.rss', 'Posts with media of an account as RSS'),
  operation({
    ...PUBLIC_PAGE,
    path: '/:account/tagged/:tag',
    summary: 'Show the page of a profile, with the posts that have a hashtag',
    params: { account: param.string(), tag: param.string(), max_id, limit },
    handle({ account, tag, max_id: below, limit: most }, context) {
      const ofFeed = withoutRssSuffix(tag)
      if (ofFeed !== undefined) return showFeed(context, account, { tab: undefined, tag: ofFeed, limit: most })
      return showProfile(context, account, { tab: undefined, tag, max_id: below, limit: most })
    },
  }),
]

/**
 * The profile of a handle such as `@alice`, or a redirect to a remote one. @throws ApiError
 * routeNotFound
 */
export async function showProfile(context: Context, handle: string, part: Part): Promise<Response> {
  if (!handle.startsWith('@')) throw new ApiError('routeNotFound')
  if (context.request.path.startsWith('/%40')) return redirect(`/${encodeURI(handle)}`)
  const ofFeed = withoutRssSuffix(handle)
  if (ofFeed !== undefined) return showFeed(context, ofFeed, { ...part, tab: 'posts' })
  if (wantsRss(context)) return showFeed(context, handle, part)
  if (wantsDocument(context.request)) return showProfileDocument(context, handle)
  return showPublicly(context, 'profile', async visitor => {
    const account = await findProfile(context, handle)
    return account.domain === null
      ? profilePage(context, visitor, account, part)
      : redirect(`/redirect/accounts/${account.id}`)
  })
}

/**
 * The ActivityPub document of a local profile, which also tells other servers of a suspension; the
 * profile of a remote account is on its own server. @throws ApiError routeNotFound, forbidden, gone
 */
async function showProfileDocument(context: Context, handle: string): Promise<Response> {
  const account = await findNamed(context, handle)
  if (account.domain === null) return showActor(context, account.id)
  const rendered = isVisibleTo(account, null) && (await renderAccount(context, null, account.id))
  if (!rendered) throw new ApiError('routeNotFound')
  return redirect(parseAccount(rendered).uri)
}

/** Posts of a local account as RSS. @throws ApiError routeNotFound, forbidden */
async function showFeed(context: Context, handle: string, part: Omit<Part, 'max_id'>): Promise<Response> {
  const closed = closedFeed(context)
  if (closed) return closed
  const account = await findProfile(context, handle)
  const rendered = account.domain === null ? await renderAccount(context, null, account.id) : undefined
  if (!rendered) throw new ApiError('routeNotFound')
  return profileRss(context, account, parseAccount(rendered), part)
}

async function profilePage(context: Context, visitor: Visitor, account: AccountFragment, part: Part): Promise<Page> {
  const { config } = context
  const { translator } = visitor
  const [rendered, tags, ids, pinned] = await Promise.all([
    renderAccount(context, visitor.viewer, account.id),
    featuredTagsOf(context, account),
    readIds(context, visitor, account.id, part),
    part.tab === 'posts' && part.max_id === undefined ? readPinned(context, visitor, account.id) : [],
  ])
  if (!rendered) throw new ApiError('routeNotFound')
  const shown = parseAccount(rendered)
  const feed = await readFeed(context, visitor, { ids }, part.max_id)
  const acct = `${shown.username}@${config.localDomain}`
  const document = documentLink(shown.uri)
  const resource = `${config.publicUrl}/.well-known/webfinger?resource=${encodeURIComponent(`acct:${acct}`)}`
  return {
    title: `${shown.display_name || shown.username} (@${acct})`,
    head: html`${STYLE} ${part.max_id === undefined ? robots(shown) : notForSearch}
      <link rel="canonical" href="${shown.url}" />
      <link rel="alternate" type="application/rss+xml" href="${pathOf(shown.username, part)}.rss" />
      ${document.element} ${profileCard(shown, context)}`,
    headers: { Link: `<${resource}>; rel="lrdd"; type="application/jrd+json", ${document.header}` },
    column: true,
    fileOrigins: originsOfAll([...pinned, ...feed.statuses]),
    body: [
      profileHtml(shown, config.localDomain, translator),
      featuredTags(tags, part, visitor),
      account.emailSubscriptions &&
        !account.suspended &&
        visitor.viewer?.id !== account.id &&
        subscribeForm(translator, account.id, account.acct),
      tabs(shown.username, part, visitor),
      pinned.map(status => [
        html`<p class="quiet above">${translator.t('profile.pinned')}</p>`,
        statusArticle(status, translator),
      ]),
      feedHtml(feed, pathOf(shown.username, part), translator),
    ],
  }
}

const EVERYTHING = { since_id: null, min_id: null, exclude_direct: true, pinned: false, tagged: undefined } as const

async function readIds({ database }: Context, { viewer }: Visitor, account: Id, part: Part): Promise<Id[]> {
  const { tab, tag, max_id: below } = part
  const rows = await findAccountStatuses(database, {
    ...EVERYTHING,
    viewer: viewer?.id ?? null,
    account,
    max_id: below ?? null,
    limit: PAGE_SIZE,
    exclude_replies: tab === 'posts',
    exclude_reblogs: tab === 'media' || tag !== undefined,
    only_media: tab === 'media',
    tagged: tag,
  })
  return rows.map(row => row.id)
}

async function readPinned(context: Context, visitor: Visitor, account: Id) {
  const rows = await findAccountStatuses(context.database, {
    ...EVERYTHING,
    viewer: visitor.viewer?.id ?? null,
    account,
    max_id: null,
    limit: PAGE_SIZE,
    exclude_replies: false,
    exclude_reblogs: false,
    only_media: false,
    pinned: true,
  })
  return readStatuses(
    context,
    visitor,
    rows.map(row => row.id),
  )
}

function pathOf(username: string, { tab, tag }: Pick<Part, 'tab' | 'tag'>): string {
  if (tag !== undefined) return `/@${username}/tagged/${encodeURIComponent(tag)}`
  return tab === undefined || tab === 'posts' ? `/@${username}` : `/@${username}/${tab}`
}

function tabs(username: string, part: Part, { translator: { t } }: Visitor): Html {
  const links = TABS.map(tab => {
    const current = tab === part.tab && html` aria-current="page"`
    return html`<li><a href="${pathOf(username, { tab })}" ${current}>${t(`profile.${tab}`)}</a></li>`
  })
  return html`<nav class="tabs" aria-label="${t('profile.tabs')}">
    <ul>
      ${links}
    </ul>
  </nav>`
}

function featuredTags(tags: readonly FeaturedTag[], { tag }: Part, { translator: { t } }: Visitor): Content {
  if (tags.length === 0) return null
  const links = tags.map(({ name, url }) => {
    const current =
      tag !== undefined && displayTag(tag).toLowerCase() === name.toLowerCase() && html` aria-current="page"`
    return html`<li><a href="${url}" ${current}>#${name}</a></li>`
  })
  return html`<nav class="tabs" aria-label="${t('profile.tags')}">
    <ul>
      ${links}
    </ul>
  </nav>`
}
