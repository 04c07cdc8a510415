import { findRemoteUrl } from '../../accounts/index.ts'
import type { Id } from '../../core/id.ts'
import { c, query } from '../../platform/database/index.ts'
import type { Services } from '../../platform/services.ts'
import { statusIdIn } from '../../statuses/index.ts'
import { parseUrl } from '../../core/parse_url.ts'

const findByUri = query('timelines/data_import/status_by_uri', { uri: c.text }, { id: c.id })

/**
 * The status with a URI or URL: of this server, or of another one, from which it is fetched if it
 * is not known here. It may be hidden from the account that imports it.
 */
export async function findStatusByUri(services: Services, uri: string): Promise<Id | undefined> {
  const { publicUrl } = services.config
  const local = statusIdIn(uri, publicUrl)
  if (local !== undefined) return local
  const known = await services.database.one(findByUri, { uri })
  if (known) return known.id
  const url = /^https?:/i.test(uri) ? parseUrl(uri) : undefined
  if (!url || url.origin === new URL(publicUrl).origin) return undefined
  const found = await findRemoteUrl(services, uri)
  return found?.kind === 'status' ? found.id : undefined
}
