import { accountFragments, findByUrl, findRemoteUrl, isVisibleTo, renderAccount } from '../../accounts/index.ts'
import { collectionIdIn, renderCollection } from '../../accounts/collections/index.ts'
import type { Json } from '../../platform/http/index.ts'
import type { Viewer } from '../../core/viewer.ts'
import type { Services } from '../../platform/services.ts'
import { renderStatus, statusIdIn } from '../../statuses/index.ts'
import { parseUrl } from '../../core/parse_url.ts'

/** Whether a search text is a URL. */
export const isUrl = (text: string): boolean => /^https?:\/\/\S+$/i.test(text) && parseUrl(text) !== undefined

/** The account or status with this URL, if it is visible to the viewer. */
export async function resolveUrl(
  services: Services,
  viewer: Viewer,
  url: string,
): Promise<{ account?: Json; status?: Json; collection?: Json }> {
  const collectionId = collectionIdIn(url, services.config.publicUrl)
  if (collectionId !== undefined) {
    const collection = await renderCollection(services, viewer, collectionId)
    return collection ? { collection } : {}
  }
  const { publicUrl } = services.config
  const isLocal = new URL(url).origin === new URL(publicUrl).origin
  const remote = isLocal ? undefined : await findRemoteUrl(services, url)
  const statusId = remote?.kind === 'status' ? remote.id : statusIdIn(url, publicUrl)
  if (statusId !== undefined) {
    const status = await renderStatus(services, viewer, statusId)
    return status ? { status } : {}
  }
  const accountId = remote?.id ?? (await findByUrl(services, url))
  const known = accountId === undefined ? undefined : await accountFragments(services).one(accountId)
  if (!known || known.suspended || !isVisibleTo(known, viewer)) return {}
  const account = await renderAccount(services, viewer, known.id)
  return account ? { account } : {}
}
