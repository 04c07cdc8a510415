import { c, query, type Runner } from '../../platform/database/index.ts'
import type { Id } from '../../core/id.ts'
import { ADDRESSED, uriOf } from '../../statuses/index.ts'
import { readOn } from './pages.ts'

const SAVED = { saved: c.id, ...ADDRESSED } as const

const QUERIES = {
  bookmarks: query('auth/data_export/bookmarks', { account: c.id, after: c.id }, SAVED),
  favourites: query('auth/data_export/favourites', { account: c.id, after: c.id }, SAVED),
} as const

/** The URIs of an account's bookmarks or favourites, oldest first. */
export async function* markedUris(
  database: Runner,
  kind: keyof typeof QUERIES,
  account: Id,
  publicUrl: string,
): AsyncGenerator<string> {
  const next = (after: Id) => database.run(QUERIES[kind], { account, after })
  for await (const status of readOn(next, row => row.saved)) yield uriOf(status, publicUrl)
}
