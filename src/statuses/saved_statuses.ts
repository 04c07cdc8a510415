import { c, query } from '../platform/database/index.ts'
import { list, type Response } from '../platform/http/response.ts'
import { type Context, operation } from '../platform/http/operation.ts'
import { cursorsOf, page, rangeParameters, type Range } from '../platform/http/page.ts'
import { param } from '../platform/http/param/index.ts'
import { renderPage } from './render.ts'

const parameters = {
  viewer: c.id,
  max_id: c.nullable(c.id),
  since_id: c.nullable(c.id),
  min_id: c.nullable(c.id),
  limit: c.integer,
} as const
const rows = { id: c.id, status_id: c.id } as const

const findFavourites = query('statuses/favourites', parameters, rows)
const findBookmarks = query('statuses/bookmarks', parameters, rows)

const params = {
  max_id: param.cursor(),
  since_id: param.cursor(),
  min_id: param.cursor(),
  limit: param.limit(20),
} as const

export const showFavourites = operation({
  method: 'GET',
  path: '/api/v1/favourites',
  auth: 'user',
  scopes: ['read:favourites'],
  summary: 'List the favourites of the caller, the latest first',
  params,
  returns: '[Status]',
  handle: (range, context) => respondWithSaved(findFavourites, range, context),
})

export const showBookmarks = operation({
  method: 'GET',
  path: '/api/v1/bookmarks',
  auth: 'user',
  scopes: ['read:bookmarks'],
  summary: 'List the bookmarks of the caller, the latest first',
  params,
  returns: '[Status]',
  handle: (range, context) => respondWithSaved(findBookmarks, range, context),
})

async function respondWithSaved(
  find: typeof findFavourites,
  range: Range,
  context: Context<'user'>,
): Promise<Response> {
  const { viewer, database, request } = context
  const found = await database.run(find, {
    viewer: viewer.id,
    ...rangeParameters(range),
  })
  const ids = found.map(row => row.status_id)
  return page(
    list(await renderPage(context, viewer, ids, { timeline: true })),
    cursorsOf(found, row => row.id),
    request,
    range,
  )
}
