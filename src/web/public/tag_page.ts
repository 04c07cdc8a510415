import { ApiError } from '../../core/errors.ts'
import { showHashtag, wantsDocument } from '../../federation/index.ts'
import { operation, param, type Context, type Response } from '../../platform/http/index.ts'
import { html, type Page } from '../../platform/ui/index.ts'
import { findReviewedTag, renderTags } from '../../timelines/tags/index.ts'
import { normaliseTag } from '../../core/text/index.ts'
import { accessibleParts, readTag } from '../../timelines/index.ts'
import { PUBLIC_PAGE } from './declaration.ts'
import { parseTag, type ShownTag } from './entities.ts'
import { feedHtml, originsOfAll, PAGE_SIZE, readFeed } from './feed.ts'
import { notForSearch } from './open_graph.ts'
import { closedFeed, feedLimit, tagRss, type TagFeed, wantsRss, withoutRssSuffix } from './rss.ts'
import { signInPrompt, unlessSignInNeeded } from './sign_in_prompt.ts'
import { STYLE } from './style.ts'
import { showPublicly, type Visitor } from './public_page.ts'

/** The page of a hashtag. */
export const showTagPage = operation({
  ...PUBLIC_PAGE,
  path: '/tags/:tag',
  summary: 'Show the page of a hashtag',
  params: {
    tag: param.string(),
    max_id: param.cursor({ description: 'older than this' }),
    limit: feedLimit(),
    local: param.boolean({ default: false, description: 'only posts of this server, for feeds' }),
  },
  handle({ tag, max_id, limit, local }, context) {
    const ofFeed = withoutRssSuffix(tag) ?? (wantsRss(context) ? tag : undefined)
    if (ofFeed !== undefined) return showFeed(context, normaliseTag(ofFeed), { limit, local })
    if (wantsDocument(context.request)) return showDocument(context, normaliseTag(tag))
    return showPublicly(context, 'tag', visitor => tagPage(context, visitor, normaliseTag(tag), max_id))
  },
})

/** A known hashtag that moderators let be used. @throws ApiError routeNotFound */
async function findUsable(context: Context, name: string): Promise<ShownTag> {
  const entity = (await renderTags(context, null, [name])).get(name)
  if (!entity) throw new ApiError('routeNotFound')
  const shown = parseTag(entity)
  const reviewed = await findReviewedTag(context.database, shown.id)
  if (reviewed?.usable !== true) throw new ApiError('routeNotFound')
  return shown
}

/** The ActivityPub document of a hashtag. @throws ApiError routeNotFound */
async function showDocument(context: Context, name: string): Promise<Response> {
  return showHashtag(context, (await findUsable(context, name)).url)
}

async function showFeed(context: Context, name: string, feed: TagFeed): Promise<Response> {
  const closed = closedFeed(context)
  if (closed) return closed
  return tagRss(context, await findUsable(context, name), feed)
}

async function tagPage(context: Context, visitor: Visitor, name: string, max_id: string | undefined): Promise<Page> {
  const { viewer, translator } = visitor
  const { name: displayName, url } = await findUsable(context, name)
  const title = translator.t('tag.title', { name: displayName })
  const head = html`${STYLE} ${notForSearch}
    <link rel="canonical" href="${url}" />
    <link rel="alternate" type="application/rss+xml" href="${url}.rss" />
    <link rel="alternate" type="application/activity+json" href="${url}" />`
  const heading = html`<h1>${title}</h1>`
  const page = await unlessSignInNeeded(async () => {
    const parts = accessibleParts(context.settings, viewer, 'topic', { local: false, remote: false })
    const range = { limit: PAGE_SIZE, max_id }
    return readTag(context, viewer, parts, { names: [name], all: [], none: [] }, false, range)
  })
  if (!page) return { title, head, column: true, body: [heading, signInPrompt(translator)] }
  const feed = await readFeed(context, visitor, page, max_id)
  const path = `/tags/${encodeURIComponent(name)}`
  return {
    title,
    head,
    column: true,
    fileOrigins: originsOfAll(feed.statuses),
    body: [heading, feedHtml(feed, path, translator)],
  }
}
