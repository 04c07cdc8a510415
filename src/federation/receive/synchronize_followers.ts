import { createHash, randomUUID } from 'node:crypto'
import { acceptFollow, lockPair, removeFollower } from '../../accounts/index.ts'
import type { Id } from '../../core/id.ts'
import { c, query, type Row } from '../../platform/database/index.ts'
import { OutgoingFailure } from '../../platform/http_client/index.ts'
import { job, memberOf } from '../../platform/jobs/index.ts'
import type { Services } from '../../platform/services.ts'
import { fetchObject } from '../fetch/index.ts'
import { sendActivity } from '../send/index.ts'
import { actorUri, idOf, isObject, listOf, parseLocalUri, sameHost, type JsonObject } from '../protocol/index.ts'
import { inReceipt } from './receiving.ts'

const ACCOUNT = { id: c.id, uri: c.text, followers_url: c.text, inbox_url: c.text, followers: c.ids } as const
const findAccount = query('federation/receive/synchronized', { uri: c.text }, ACCOUNT)

type Account = Row<typeof ACCOUNT>

const MAX_PAGES = 10

/** What another server takes for the followers that one of its accounts has here. */
interface Claim {
  readonly actor: string
  readonly collection: string
  readonly digest: string
  readonly url: string
}

/** Reads the header Collection-Synchronization; undefined when it has not all that is needed. */
export function readClaim(actor: string, header: string): Claim | undefined {
  const found = new Map(
    [...header.matchAll(/([A-Za-z]+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]),
  )
  const [collection, digest, url] = ['collectionId', 'digest', 'url'].map(name => found.get(name))
  if (collection === undefined || digest === undefined || url === undefined || !sameHost(url, actor)) return undefined
  return /^[0-9a-f]{64}$/i.test(digest) ? { actor, collection, digest: digest.toLowerCase(), url } : undefined
}

function digestOf(uris: readonly string[]): string {
  const sum = Buffer.alloc(32)
  for (const uri of uris) {
    const digest = createHash('sha256').update(uri).digest()
    for (const [place, byte] of digest.entries()) sum[place] = (sum[place] ?? 0) ^ byte
  }
  return sum.toString('hex')
}

const itemsOf = (page: JsonObject): string[] =>
  [...listOf(page['orderedItems']), ...listOf(page['items'])].flatMap(one => idOf(one) ?? [])

/** All items of a collection on its own host; undefined when a page is missing, or one too many. */
async function readCollection(services: Services, url: string): Promise<string[] | undefined> {
  const collection = await fetchObject(services, url)
  if (!collection) return undefined
  const items = itemsOf(collection)
  let next = collection['first']
  for (let left = MAX_PAGES; next !== undefined && next !== null; left -= 1) {
    const uri = idOf(next)
    const isFetched = !isObject(next)
    if (left === 0 || (isFetched && (uri === undefined || !sameHost(uri, url)))) return undefined
    const page: JsonObject | undefined = isObject(next) ? next : await fetchObject(services, uri ?? '')
    if (!page) return undefined
    items.push(...itemsOf(page))
    next = page['next']
  }
  return items
}

/** Ends follows that the other server no longer lists, and sends Undo for those unknown here. */
async function settle(services: Services, account: Account, listed: ReadonlySet<Id>): Promise<void> {
  const { publicUrl } = services.config
  const known = new Set(account.followers)
  for (const follower of known)
    if (!listed.has(follower))
      await inReceipt(services, async transaction => {
        await lockPair(transaction, account.id, follower)
        await removeFollower(transaction, account.id, follower)
      })
  for (const follower of listed) {
    if (known.has(follower)) continue
    await inReceipt(services, async transaction => {
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

function parse(payload: unknown): Claim {
  const [actor, collection, digest, url] = ['actor', 'collection', 'digest', 'url'].map(name => {
    const value = memberOf(payload, name)
    return typeof value === 'string' ? value : ''
  })
  return { actor: actor ?? '', collection: collection ?? '', digest: digest ?? '', url: url ?? '' }
}

/**
 * Compares the local followers of another server's account with what that server says (FEP-8fcf);
 * when they differ, its list decides.
 */
export const synchronizeFollowers = job<Claim, Services>(
  'federation.synchronize_followers',
  parse,
  async ({ actor, collection, digest, url }, services, { lastAttempt }) => {
    const account = await services.database.one(findAccount, { uri: actor })
    if (!account || account.followers_url !== collection || collection === '') return
    const { publicUrl } = services.config
    if (digestOf(account.followers.map(id => actorUri(publicUrl, id))) === digest) return
    try {
      const items = await readCollection(services, url)
      if (!items) return
      const listed = items.flatMap(uri => {
        const local = parseLocalUri(uri, publicUrl)
        return local?.kind === 'account' ? local.account : []
      })
      await settle(services, account, new Set(listed))
    } catch (error) {
      if (!(error instanceof OutgoingFailure) || !lastAttempt) throw error
    }
  },
  { attempts: 3, priority: 20 },
)
