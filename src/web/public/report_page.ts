import { sharedReport, type ReportData } from '../../instance/annual_reports/index.ts'
import { ApiError } from '../../core/errors.ts'
import { operation, param, type Context } from '../../platform/http/index.ts'
import { html, phrase, type Page } from '../../platform/ui/index.ts'
import { tagUrl } from '../../core/text/index.ts'
import { findVisible } from '../../statuses/index.ts'
import { PUBLIC_PAGE } from './declaration.ts'
import { originsOfAll, readStatuses } from './feed.ts'
import { findProfile } from './find_profile.ts'
import { notForSearch } from './open_graph.ts'
import { statusArticle } from './status_html.ts'
import { STYLE } from './style.ts'
import { showPublicly, type Visitor } from './public_page.ts'

/** A shared annual report. */
export const showReportPage = operation({
  ...PUBLIC_PAGE,
  // The first part is @NAME, which the router cannot express.
  path: '/:account/wrapstodon/:year/:key',
  summary: 'Show the page of an annual report',
  params: { account: param.string(), year: param.string(), key: param.string() },
  handle: ({ account, year, key }, context) =>
    showPublicly(context, 'profile', visitor =>
      reportPage(context, visitor, account, { year: yearOf(year), share_key: key }),
    ),
})

function yearOf(year: string): number {
  if (!/^\d{4}$/.test(year)) throw new ApiError('routeNotFound')
  return Number(year)
}

async function reportPage(
  context: Context,
  visitor: Visitor,
  handle: string,
  selection: { year: number; share_key: string },
): Promise<Page> {
  const person = await findProfile(context, handle)
  const data = await sharedReport(context, { account: person.id, ...selection })
  if (!data) throw new ApiError('routeNotFound')
  const { translator } = visitor
  const { by_reblogs: best } = data.top_statuses
  const status = best === null ? undefined : await findVisible(context, visitor.viewer, best)
  const top = await readStatuses(context, visitor, status ? [status.id] : [])
  const title = translator.t('report.title', { year: selection.year, name: person.displayName || person.username })
  return {
    title,
    head: [STYLE, notForSearch],
    column: true,
    fileOrigins: originsOfAll(top),
    body: html`<section class="card">
        <h1>${title}</h1>
        <p><a href="${person.url}">@${person.username}</a></p>
        ${figures(data, context, visitor)}
      </section>
      ${top.map(status => [html`<h2>${translator.t('report.top')}</h2>`, statusArticle(status, translator)])}`,
  }
}

function figures({ archetype, time_series, top_hashtags }: ReportData, { config }: Context, { translator }: Visitor) {
  const sum = (of: 'statuses' | 'followers'): number => time_series.reduce((all, month) => all + month[of], 0)
  const kind = `report.${archetype}`
  return html`<ul>
    ${translator.has(kind) && html`<li>${translator.t(kind)}</li>`}
    <li>${translator.t('report.posts', { count: sum('statuses') })}</li>
    <li>${translator.t('report.followers', { count: sum('followers') })}</li>
    ${top_hashtags.map(({ name }) => {
      const tag = html`<a href="${tagUrl(name, config.publicUrl)}">#${name}</a>`
      return html`<li>${phrase(translator.t('report.tag'), { tag })}</li>`
    })}
  </ul>`
}
