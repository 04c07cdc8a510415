import { ApiError } from '../../core/errors.ts'
import { operation, param, redirect, type Response, type Context } from '../../platform/http/index.ts'
import { parseId, type Id } from '../../core/id.ts'
import { showNote, wantsDocument } from '../../federation/index.ts'
import { html, type Page } from '../../platform/ui/index.ts'
import { findVisible, renderStatus } from '../../statuses/index.ts'
import { PUBLIC_PAGE } from './declaration.ts'
import { parseStatus } from './entities.ts'
import { originsOfAll } from './feed.ts'
import { findProfile } from './find_profile.ts'
import { robots, statusCard, summaryOf } from './open_graph.ts'
import { statusArticle } from './status_html.ts'
import { STYLE } from './style.ts'
import { MAX_PAGE, readThread, repliesHtml } from './thread.ts'
import { documentLink, showPublicly, type Visitor } from './public_page.ts'

/** The page of a status. */
export const showStatusPage = operation({
  ...PUBLIC_PAGE,
  // The first part is @NAME, which the router cannot express.
  path: '/:account/:id',
  summary: 'Show the page of a status',
  params: {
    account: param.string(),
    id: param.string(),
    page: param.integer({ default: 1, min: 1, max: MAX_PAGE, description: 'of the replies' }),
  },
  async handle({ account, id: idText, page }, context) {
    const id = account.startsWith('@') ? parseId(idText) : undefined
    if (id === undefined) throw new ApiError('routeNotFound')
    if (wantsDocument(context.request)) return statusDocument(context, account, id)
    return showPublicly(context, 'status', visitor => statusPage(context, visitor, account, id, page))
  },
})

/**
 * The ActivityPub document of a local status; a remote status is on its own server. @throws
 * ApiError routeNotFound
 */
async function statusDocument(context: Context, handle: string, id: Id): Promise<Response> {
  const author = await findProfile(context, handle)
  if (author.domain === null) return showNote(context, author.id, id)
  const found = await findVisible(context, null, id)
  const rendered = found?.account_id === author.id && (await renderStatus(context, null, id))
  if (!rendered) throw new ApiError('routeNotFound')
  return redirect(parseStatus(rendered).uri)
}

async function statusPage(
  context: Context,
  visitor: Visitor,
  handle: string,
  id: Id,
  page: number,
): Promise<Page | Response> {
  const person = await findProfile(context, handle)
  const found = await findVisible(context, visitor.viewer, id)
  if (found?.account_id !== person.id) throw new ApiError('routeNotFound')
  const isForAll = found.visibility === 'public' || found.visibility === 'unlisted'
  // A private post is shown here: on its own server its recipient is not signed in.
  if (person.domain !== null && isForAll) return redirect(`/redirect/statuses/${id}`)
  const rendered = await renderStatus(context, visitor.viewer, id)
  if (!rendered) throw new ApiError('routeNotFound')
  const status = parseStatus(rendered)
  const { reblog } = status
  if (reblog) return redirect(person.domain === null ? (reblog.url ?? '/') : `/@${reblog.account.acct}/${reblog.id}`)
  const thread = await readThread(context, visitor, id, page)
  const { translator } = visitor
  const name = status.account.display_name || status.account.username
  const document = documentLink(status.uri)
  return {
    title: translator.t('status.page_title', { name, text: summaryOf(status) }),
    head: html`${STYLE} ${robots(status.account)} <link rel="canonical" href="${status.url}" /> ${document.element}
      ${statusCard(status, context)}
      ${isForAll && html`<link rel="alternate" type="application/json+oembed" href="${oembedUrl(context, status.url)}" />`}`,
    body: [
      html`<h1 class="spoken">${translator.t('embed.title', { name })}</h1>`,
      thread.ancestors.map(one => statusArticle(one, translator)),
      html`<div class="focused">${statusArticle(status, translator)}</div>`,
      repliesHtml(thread, `/${handle}/${id}`, translator),
    ],
    column: true,
    fileOrigins: originsOfAll([status, ...thread.ancestors, ...thread.replies]),
    headers: { Link: document.header, ...(!isForAll && { 'Cache-Control': 'private, no-store' }) },
  }
}

const oembedUrl = ({ config }: Context, url: string | null): string =>
  `${config.publicUrl}/api/oembed?${new URLSearchParams({ format: 'json', url: url ?? '' }).toString()}`
