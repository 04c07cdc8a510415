import { parseId, type Id } from '../core/id.ts'

/**
 * The id of the status of this server that a URL names: its page `/@NAME/ID`, or one of the
 * identifiers `/users/NAME/statuses/ID` and `/ap/users/ID/statuses/ID`. Undefined for any other
 * URL. The status need not exist.
 */
export function statusIdIn(url: string, publicUrl: string): Id | undefined {
  if (!url.toLowerCase().startsWith(`${publicUrl.toLowerCase()}/`)) return undefined
  const path = url.slice(publicUrl.length)
  const id = /^\/(?:@[a-z0-9_]+|users\/[a-z0-9_]+\/statuses|ap\/users\/\d+\/statuses)\/(\d+)\/?(?:[?#]|$)/i.exec(
    path,
  )?.[1]
  return id === undefined ? undefined : parseId(id)
}
