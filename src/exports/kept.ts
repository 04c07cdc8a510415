import { c, query, type Runner } from '../database/index.ts'
import type { Id } from '../id.ts'
import { ADDRESSED, uriOf } from '../statuses/index.ts'
import { readOn } from './pages.ts'

const KEPT = { kept: c.id, ...ADDRESSED } as const

const QUERIES = {
  bookmarks: query('exports/bookmarks', { account: c.id, after: c.id }, KEPT),
  favourites: query('exports/favourites', { account: c.id, after: c.id }, KEPT),
} as const

/** The identifiers of what an account has bookmarked or likes, the oldest mark first. */
export async function* keptUris(
  database: Runner,
  kind: keyof typeof QUERIES,
  account: Id,
  publicUrl: string,
): AsyncGenerator<string> {
  const next = (after: Id) => database.run(QUERIES[kind], { account, after })
  for await (const status of readOn(next, row => row.kept)) yield uriOf(status, publicUrl)
}
