import { ApiError } from '../../core/errors.ts'
import { operation, param, redirect, type Response, type Context } from '../../platform/http/index.ts'
import { parseId, type Id } from '../../core/id.ts'
import { html, type Page } from '../../platform/ui/index.ts'
import { findVisible, renderStatus } from '../../statuses/index.ts'
import { PUBLIC_PAGE } from './declaration.ts'
import { originsOf, parseStatus } from './entities.ts'
import { findProfile } from './find_profile.ts'
import { robots, statusCard, summaryOf } from './open_graph.ts'
import { statusArticle } from './status_html.ts'
import { STYLE } from './style.ts'
import { showPublicly, type Visitor } from './public_page.ts'

/** The page of a status. */
export const showStatusPage = operation({
  ...PUBLIC_PAGE,
  // The first part is @NAME, which the router cannot express.
  path: '/:account/:id',
  summary: 'A status as a page',
  params: { account: param.string(), id: param.string() },
  async handle({ account, id: given }, context) {
    const id = account.startsWith('@') ? parseId(given) : undefined
    if (id === undefined) throw new ApiError('routeNotFound')
    return showPublicly(context, 'status', visitor => statusPage(context, visitor, account, id))
  },
})

async function statusPage(context: Context, visitor: Visitor, handle: string, id: Id): Promise<Page | Response> {
  const person = await findProfile(context, handle)
  const found = await findVisible(context, visitor.viewer, id)
  if (found?.account_id !== person.id) throw new ApiError('routeNotFound')
  if (person.domain !== null) return redirect(`/redirect/statuses/${id}`)
  const rendered = await renderStatus(context, visitor.viewer, id)
  if (!rendered) throw new ApiError('routeNotFound')
  const status = parseStatus(rendered)
  const { url: original } = status.reblog ?? {}
  if (original !== undefined) return redirect(original ?? '/')
  const { speaker } = visitor
  const name = status.account.display_name || status.account.username
  const isForAll = status.visibility === 'public' || status.visibility === 'unlisted'
  return {
    title: speaker.t('status.page_title', { name, text: summaryOf(status) }),
    head: html`${STYLE} ${robots(status.account)}
      <link rel="canonical" href="${status.url}" /> ${statusCard(status, context)}
      ${isForAll && html`<link rel="alternate" type="application/json+oembed" href="${oembedUrl(context, status.url)}" />`}`,
    body: [html`<h1 class="spoken">${speaker.t('embed.title', { name })}</h1>`, statusArticle(status, speaker)],
    column: true,
    shown: originsOf(status),
    ...(!isForAll && { headers: { 'Cache-Control': 'private, no-store' } }),
  }
}

const oembedUrl = ({ config }: Context, url: string | null): string =>
  `${config.publicUrl}/api/oembed?${new URLSearchParams({ format: 'json', url: url ?? '' }).toString()}`
