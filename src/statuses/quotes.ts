import { c, query, type Runner } from '../platform/database/index.ts'
import { ApiError } from '../core/errors.ts'
import type { Id } from '../core/id.ts'
import { list } from '../platform/http/response.ts'
import { operation } from '../platform/http/operation.ts'
import { cursorsOf, page, rangeParameters } from '../platform/http/page.ts'
import { param } from '../platform/http/param/index.ts'
import { respondWithStatus, statusMissing, STATUS_ID } from './status_response.ts'
import { renderStatuses } from './render.ts'
import { findVisible } from './visible.ts'

const findQuotes = query(
  'statuses/quotes/of_status',
  { viewer: c.nullable(c.id), status: c.id, max_id: c.nullable(c.id), since_id: c.nullable(c.id), limit: c.integer },
  { id: c.id, status_id: c.id, shown: c.boolean },
)
const findQuote = query('statuses/quotes/find', { quoted: c.id, quoting: c.id }, { id: c.id })
const revoke = query('statuses/quotes/revoke', { viewer: c.id, quote: c.id }, { id: c.id, events: c.events })

/** The author of a quoted status revokes the quote, or refuses it while it is pending. */
export const endQuote = async (runner: Runner, author: Id, quote: Id): Promise<void> =>
  void (await runner.run(revoke, { viewer: author, quote }))

export const showQuotes = operation({
  method: 'GET',
  path: '/api/v1/statuses/:id/quotes',
  auth: 'app',
  scopes: ['read:statuses'],
  summary: 'List the statuses that quote a status',
  params: { id: STATUS_ID, max_id: param.cursor(), since_id: param.cursor(), limit: param.limit(20) },
  returns: '[Status]',
  async handle({ id, ...range }, context) {
    const { viewer, database, request } = context
    if (!(await findVisible(context, viewer, id))) throw statusMissing()
    const rows = await database.run(findQuotes, {
      viewer: viewer?.id ?? null,
      status: id,
      ...rangeParameters(range),
    })
    const shown = rows.filter(row => row.shown).map(row => row.status_id)
    const rendered = await renderStatuses(context, viewer, shown)
    return page(
      list([...rendered.values()]),
      cursorsOf(rows, row => row.id),
      request,
      range,
      { prev: 'since_id' },
    )
  },
})

export const revokeQuote = operation({
  method: 'POST',
  path: '/api/v1/statuses/:id/quotes/:quoting_status_id/revoke',
  auth: 'user',
  scopes: ['write:statuses'],
  summary: 'Revoke a quote of an own status',
  params: { id: STATUS_ID, quoting_status_id: param.id() },
  returns: 'Status',
  async handle({ id, quoting_status_id: quoting }, context) {
    const { viewer, database } = context
    const quoted = await findVisible(context, viewer, id)
    if (!quoted) throw statusMissing()
    const quote = await database.one(findQuote, { quoted: id, quoting })
    if (!quote) throw new ApiError('notFound')
    if (quoted.account_id !== viewer.id) throw new ApiError('notAllowed')
    await database.one(revoke, { viewer: viewer.id, quote: quote.id })
    return respondWithStatus(context, quoting)
  },
})
