import { parseId, type Id } from '../../core/id.ts'

/** A collection as its addresses are made from it. `uri` and `url` are stored for remote ones only. */
interface Addressed {
  readonly id: Id
  readonly account_id: Id
  readonly local: boolean
  readonly uri: string | null
  readonly url: string | null
}

/** The identifier and the page of a collection (api/entities/Collection.json). */
export const addressesOf = (
  { id, account_id, local, uri, url }: Addressed,
  publicUrl: string,
): { uri: string; url: string | null } =>
  local
    ? { uri: `${publicUrl}/ap/users/${account_id}/collections/${id}`, url: `${publicUrl}/collections/${id}` }
    : { uri: uri ?? '', url }

/** The id of the collection of this server that an address names; undefined for any other. Whether there is such a one is not looked at. */
export function collectionIdIn(url: string, publicUrl: string): Id | undefined {
  if (!url.toLowerCase().startsWith(`${publicUrl.toLowerCase()}/`)) return undefined
  const path = url.slice(publicUrl.length)
  const id = /^\/(?:ap\/users\/\d+\/)?collections\/(\d+)\/?(?:[?#]|$)/i.exec(path)?.[1]
  return id === undefined ? undefined : parseId(id)
}
