import { findByHandle } from '../../accounts/index.ts'
import { c, query } from '../../platform/database/index.ts'
import type { Json } from '../../platform/http/index.ts'
import { compareIds, type Id } from '../../core/id.ts'
import type { Viewer } from '../../core/viewer.ts'
import type { Services } from '../../platform/services.ts'
import { renderPage } from '../../statuses/index.ts'
import { parseStatusQuery, type StatusQuery } from './status_query.ts'

const ASKED = {
  viewer: c.id,
  words: c.text,
  marks: c.text,
  max_id: c.id,
  min_id: c.id,
  skipped_from: c.ids,
  skipped_to: c.ids,
  limit: c.integer,
} as const

const findInLibrary = query('timelines/search/library', { ...ASKED, required: c.texts }, { id: c.id })
const findPublic = query('timelines/search/public', { ...ASKED, author: c.nullable(c.id) }, { id: c.id })

/** The parameters of a search in addition to its text; the bounds are ids, exclusive. */
export interface StatusSearch {
  readonly q: string
  readonly account_id: Id | undefined
  readonly max_id: Id | undefined
  readonly min_id: Id | undefined
  readonly limit: number
  readonly offset: number
}

const MAX_ID = 9223372036854775807n
/** Nobody pages further; it also keeps the sum within PostgreSQL's integer range. */
const MAX_COUNT = 10_000
/** The latest time that an id can hold. */
const MAX_MS = 140_737_488_355_327

/** The lowest id of a time. */
const idAt = (ms: number): bigint => BigInt(Math.min(Math.max(Math.trunc(ms), 0), MAX_MS)) << 16n

const lesser = (a: bigint, b: bigint): bigint => (a < b ? a : b)
const greater = (a: bigint, b: bigint): bigint => (a > b ? a : b)

/** The required authors, and the marks of required and excluded authors. */
interface Authors {
  readonly required: readonly Id[]
  readonly marks: readonly string[]
}

/** Undefined when a required author does not exist. */
async function findAuthors(
  services: Services,
  viewer: Viewer,
  { from }: StatusQuery,
  author: Id | undefined,
): Promise<Authors | undefined> {
  const required = author === undefined ? [] : [author]
  const excluded: Id[] = []
  for (const { handle, negated } of from) {
    const id = handle.toLowerCase() === 'me' ? viewer.id : await findByHandle(services, handle)
    if (id === undefined && !negated) return undefined
    if (id !== undefined) (negated ? excluded : required).push(id)
  }
  return { required, marks: [...required.map(id => `'=author:${id}'`), ...excluded.map(id => `!'=author:${id}'`)] }
}

/**
 * Statuses that the viewer may find, newest first.
 * @throws ApiError as `parseStatusQuery`
 */
export async function searchStatuses(services: Services, viewer: Viewer, search: StatusSearch): Promise<Json[]> {
  const statusQuery = parseStatusQuery(search.q, viewer.timeZone ?? 'UTC')
  const authors = search.limit > 0 ? await findAuthors(services, viewer, statusQuery, search.account_id) : undefined
  if (!authors) return []
  const before = statusQuery.toMs === Number.POSITIVE_INFINITY ? MAX_ID : idAt(statusQuery.toMs)
  const parameters = {
    viewer: viewer.id,
    words: statusQuery.words,
    marks: [...authors.marks, ...statusQuery.marks].join(' & '),
    max_id: String(lesser(before, BigInt(search.max_id ?? MAX_ID))),
    min_id: String(greater(idAt(statusQuery.fromMs) - 1n, BigInt(search.min_id ?? 0))),
    skipped_from: statusQuery.skipped.map(({ fromMs }) => String(idAt(fromMs))),
    skipped_to: statusQuery.skipped.map(({ toMs }) => String(idAt(toMs))),
    limit: Math.min(search.limit + search.offset, MAX_COUNT),
  }
  const { scope } = statusQuery
  const found = await Promise.all([
    scope === 'public'
      ? []
      : services.database.run(findInLibrary, { ...parameters, required: [...statusQuery.required] }),
    scope === 'library'
      ? []
      : services.database.run(findPublic, { ...parameters, author: authors.required[0] ?? null }),
  ])
  const ids = [...new Set(found.flat().map(({ id }) => id))]
    .sort((a, b) => compareIds(b, a))
    .slice(search.offset, search.offset + search.limit)
  return renderPage(services, viewer, ids, { visible: true })
}
