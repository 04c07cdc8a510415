import { createHash, randomUUID } from 'node:crypto'
import { acceptFollow, lockPair, removeFollower } from '../../accounts/index.ts'
import type { Id } from '../../core/id.ts'
import { c, query, type Row } from '../../platform/database/index.ts'
import { OutgoingFailure } from '../../platform/http_client/index.ts'
import { job, memberOf } from '../../platform/jobs/index.ts'
import type { Services } from '../../platform/services.ts'
import { fetchFromHost } from '../fetch/index.ts'
import { sendActivity } from '../send/index.ts'
import { actorUri, idOf, isObject, listOf, parseLocalUri, sameHost, type JsonObject } from '../protocol/index.ts'
import { receivingTransaction } from './incoming_activity.ts'

const ACCOUNT = { id: c.id, uri: c.text, followers_url: c.text, inbox_url: c.text, followers: c.ids } as const
const findAccount = query('federation/receive/account_with_local_followers', { uri: c.text }, ACCOUNT)

type Account = Row<typeof ACCOUNT>

const findSigning = query(
  'federation/receive/signing_accounts',
  { ids: c.ids, target: c.id, limit: c.integer },
  { id: c.id },
)

const MAX_PAGES = 10
/** Follows that are undone in one run; the next difference leads to the next run. */
const MAX_UNDONE = 50

/**
 * The contents of the header Collection-Synchronization: the sender's view of its local followers.
 */
interface SynchronizationClaim {
  readonly actor: string
  readonly collection: string
  readonly digest: string
  readonly url: string
}

/** Parses the header Collection-Synchronization; undefined when it is incomplete or invalid. */
export function parseSynchronizationHeader(actor: string, header: string): SynchronizationClaim | undefined {
  const found = new Map(
    [...header.matchAll(/\b([A-Za-z]+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]),
  )
  const [collection, digest, url] = ['collectionId', 'digest', 'url'].map(name => found.get(name))
  if (collection === undefined || digest === undefined || url === undefined || !sameHost(url, actor)) return undefined
  return /^[0-9a-f]{64}$/i.test(digest) ? { actor, collection, digest: digest.toLowerCase(), url } : undefined
}

function digestUris(uris: readonly string[]): string {
  const sum = Buffer.alloc(32)
  for (const uri of uris) {
    const digest = createHash('sha256').update(uri).digest()
    for (const [index, byte] of digest.entries()) sum[index] = (sum[index] ?? 0) ^ byte
  }
  return sum.toString('hex')
}

const itemsOf = (page: JsonObject): string[] =>
  [...listOf(page['orderedItems']), ...listOf(page['items'])].flatMap(one => idOf(one) ?? [])

/**
 * Fetches all items of a collection from its own host; undefined if a page is missing or too many.
 */
async function fetchAllItems(services: Services, url: string): Promise<string[] | undefined> {
  const collection = await fetchFromHost(services, url)
  if (!collection) return undefined
  const items = itemsOf(collection)
  let next = collection['first']
  for (let pagesLeft = MAX_PAGES; next !== undefined && next !== null; pagesLeft -= 1) {
    const uri = idOf(next)
    const isFetched = !isObject(next)
    if (pagesLeft === 0 || (isFetched && (uri === undefined || !sameHost(uri, url)))) return undefined
    const page: JsonObject | undefined = isObject(next) ? next : await fetchFromHost(services, uri ?? '')
    if (!page) return undefined
    // A page of a megabyte has too many for one call.
    for (const item of itemsOf(page)) items.push(item)
    next = page['next']
  }
  return items
}

/**
 * Sends Undo for follows that the other server lists and this one does not know.
 * @param isWhole whether follows that are not listed end
 */
async function reconcile(
  services: Services,
  account: Account,
  listed: ReadonlySet<Id>,
  isWhole: boolean,
): Promise<void> {
  const { publicUrl } = services.config
  const stored = new Set(account.followers)
  for (const follower of stored)
    if (isWhole && !listed.has(follower))
      await receivingTransaction(services, async transaction => {
        await lockPair(transaction, account.id, follower)
        await removeFollower(transaction, account.id, follower)
      })
  // The list may name accounts that do not exist, or all. Whoever has followed has a key.
  const unknown = await services.database.run(findSigning, { ids: [...listed], target: account.id, limit: MAX_UNDONE })
  for (const { id: follower } of unknown) {
    await receivingTransaction(services, async transaction => {
      await lockPair(transaction, account.id, follower)
      if (await acceptFollow(transaction, account.id, follower)) return
      const actor = actorUri(publicUrl, follower)
      const id = `${actor}#follows/${randomUUID()}`
      const follow = { id, type: 'Follow', actor, object: account.uri }
      const activity = { id: `${id}/undo`, type: 'Undo', actor, object: follow }
      const object = `${actor} ${account.uri}`
      await sendActivity(transaction, { sender: follower, object, activity, inboxes: [account.inbox_url] })
    })
  }
}

function parse(payload: unknown): SynchronizationClaim {
  const [actor, collection, digest, url] = ['actor', 'collection', 'digest', 'url'].map(name => {
    const value = memberOf(payload, name)
    return typeof value === 'string' ? value : ''
  })
  return { actor: actor ?? '', collection: collection ?? '', digest: digest ?? '', url: url ?? '' }
}

/**
 * Compares the local followers of a remote account with the digest that its server sent (FEP-8fcf);
 * if they differ, the server's list is authoritative.
 */
export const synchronizeFollowers = job<SynchronizationClaim, Services>(
  'federation.synchronize_followers',
  parse,
  async ({ actor, collection, digest, url }, services, { lastAttempt }) => {
    const account = await services.database.one(findAccount, { uri: actor })
    if (!account || account.followers_url !== collection || collection === '') return
    const { publicUrl } = services.config
    if (digestUris(account.followers.map(id => actorUri(publicUrl, id))) === digest) return
    try {
      const items = await fetchAllItems(services, url)
      if (!items) return
      const listed = items.flatMap(uri => {
        const local = parseLocalUri(uri, publicUrl)
        return local?.kind === 'account' ? local.account : []
      })
      // An old copy of the list, or a part of it, must not end follows.
      await reconcile(services, account, new Set(listed), digestUris(items) === digest)
    } catch (error) {
      if (!(error instanceof OutgoingFailure) || !lastAttempt) throw error
    }
  },
  { attempts: 3, priority: 20 },
)
