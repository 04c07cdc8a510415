import { parseId, type Id } from '../../core/id.ts'

/**
 * The data from which a collection's URLs are built. `uri` and `url` are stored for remote
 * collections only.
 */
interface Addressed {
  readonly id: Id
  readonly account_id: Id
  readonly local: boolean
  readonly uri: string | null
  readonly url: string | null
}

/**
 * The URI of a collection, and the URL of its page; one of another server without a page has its
 * URI as URL, without which clients cannot read it.
 */
export const addressesOf = (
  { id, account_id, local, uri, url }: Addressed,
  publicUrl: string,
): { uri: string; url: string } =>
  local
    ? { uri: `${publicUrl}/ap/users/${account_id}/collections/${id}`, url: `${publicUrl}/collections/${id}` }
    : { uri: uri ?? '', url: url ?? uri ?? '' }

/**
 * The id in the URL of a collection of this server; undefined for other URLs. Does not check that
 * the collection exists.
 */
export function collectionIdIn(url: string, publicUrl: string): Id | undefined {
  if (!url.toLowerCase().startsWith(`${publicUrl.toLowerCase()}/`)) return undefined
  const path = url.slice(publicUrl.length)
  const id = /^\/(?:ap\/users\/\d+\/)?collections\/(\d+)\/?(?:[?#]|$)/i.exec(path)?.[1]
  return id === undefined ? undefined : parseId(id)
}
