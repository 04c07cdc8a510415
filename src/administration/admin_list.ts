import type { Id } from '../core/id.ts'
import { cursorsOf, Json, list, page, param, type Context, type Range } from '../platform/http/index.ts'
import type { Response } from '../platform/http/index.ts'

/** The parameters of a list of the admin API that is paged by the ids of its items. */
export const listParameters = (maxLimit = 200) => ({
  max_id: param.cursor(),
  since_id: param.cursor(),
  min_id: param.cursor(),
  limit: param.limit(100, maxLimit),
})

/** Responds with a page of records, newest first, each rendered as an entity. */
export const listPage = <T extends { readonly id: Id }>(
  rows: readonly T[],
  render: (row: T) => object,
  { request }: Context,
  range: Range,
): Response =>
  page(
    list(rows.map(row => toJson(render(row)))),
    cursorsOf(rows, row => row.id),
    request,
    range,
  )

const toJson = (entity: object): Json => (entity instanceof Json ? entity : new Json(JSON.stringify(entity)))
