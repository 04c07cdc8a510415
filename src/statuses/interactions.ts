import { renderAccounts } from '../accounts/index.ts'
import { c, query } from '../platform/database/index.ts'
import { list, type Response } from '../platform/http/response.ts'
import { type Context, operation } from '../platform/http/operation.ts'
import { cursorsOf, page, rangeParameters, type Range } from '../platform/http/page.ts'
import { param } from '../platform/http/param/index.ts'
import type { Id } from '../core/id.ts'
import { statusMissing, STATUS_ID } from './status_response.ts'
import { findVisible } from './visible.ts'

const parameters = {
  viewer: c.nullable(c.id),
  status: c.id,
  max_id: c.nullable(c.id),
  since_id: c.nullable(c.id),
  limit: c.integer,
} as const
const rows = { id: c.id, account_id: c.id } as const

const findFavouriters = query('statuses/favourited_by', parameters, rows)
const findBoosters = query('statuses/reblogged_by', parameters, rows)

const params = {
  id: STATUS_ID,
  max_id: param.cursor(),
  since_id: param.cursor(),
  limit: param.limit(40),
} as const

export const favouritedBy = operation({
  method: 'GET',
  path: '/api/v1/statuses/:id/favourited_by',
  auth: 'optional',
  scopes: ['read:accounts'],
  cache: 'public',
  cacheTags: ({ id }) => [id],
  summary: 'List the accounts that favourited a status',
  params,
  returns: '[Account]',
  handle: ({ id, ...range }, context) => respondWithAccounts(findFavouriters, id, range, context),
})

export const rebloggedBy = operation({
  method: 'GET',
  path: '/api/v1/statuses/:id/reblogged_by',
  auth: 'optional',
  scopes: ['read:accounts'],
  cache: 'public',
  cacheTags: ({ id }) => [id],
  summary: 'List the accounts that boosted a status',
  params,
  returns: '[Account]',
  handle: ({ id, ...range }, context) => respondWithAccounts(findBoosters, id, range, context),
})

async function respondWithAccounts(
  find: typeof findFavouriters,
  status: Id,
  range: Range,
  context: Context<'optional'>,
): Promise<Response> {
  const { viewer, database, request } = context
  if (!(await findVisible(context, viewer, status))) throw statusMissing()
  const found = await database.run(find, {
    viewer: viewer?.id ?? null,
    status,
    ...rangeParameters(range),
  })
  const accounts = await renderAccounts(
    context,
    viewer,
    found.map(row => row.account_id),
  )
  const items = list(found.flatMap(row => accounts.get(row.account_id) ?? []))
  return page(
    items,
    cursorsOf(found, row => row.id),
    request,
    range,
    { prev: 'since_id' },
  )
}
