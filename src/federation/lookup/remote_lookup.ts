import type { RemoteLookup } from '../../accounts/index.ts'
import type { Id } from '../../core/id.ts'
import { c, query } from '../../platform/database/index.ts'
import { OutgoingFailure } from '../../platform/http_client/index.ts'
import type { Services } from '../../platform/services.ts'
import { readActor } from '../actors/index.ts'
import { fetchObject, ignoreOutgoingFailure } from '../fetch/index.ts'
import { refreshReplies, refreshStatus, resolveStatus } from '../receive/index.ts'
import { resolveActor, resolveHandle } from '../remote_accounts/index.ts'
import { textOf } from '../protocol/index.ts'

const findStored = query(
  'federation/lookup/stored',
  { url: c.text, origin: c.nullable(c.text), username: c.nullable(c.text), number: c.nullable(c.text) },
  { status: c.nullable(c.id), account: c.nullable(c.id) },
)
const findUri = query('federation/lookup/account_uri', { account: c.id }, { uri: c.text })

type Found = Awaited<ReturnType<RemoteLookup['findUrl']>>

/** Pages of Mastodon and of servers that name them alike. */
const PAGE = /^(https?:\/\/[^/?#]+)\/@([\w.-]+)(?:\/(\d+))?$/i

/**
 * The account or status with a URL. A post that this server may not read from its server, because
 * it is not public, may be stored here for its recipients; what of it a viewer may see is decided
 * where it is rendered.
 */
async function findUrl(services: Services, url: string): Promise<Found> {
  const answer = await fetchUrl(services, url).catch((error: unknown) => {
    if (error instanceof OutgoingFailure) return 'silent' as const
    throw error
  })
  if (answer !== undefined && answer !== 'silent') return answer
  const [, origin = null, username = null, number = null] = PAGE.exec(url) ?? []
  const stored = await services.database.one(findStored, { url, origin, username, number })
  if (stored?.status) return { kind: 'status', id: stored.status }
  return answer === 'silent' && stored?.account ? { kind: 'account', id: stored.account } : undefined
}

async function fetchUrl(services: Services, url: string): Promise<Found> {
  const document = await fetchObject(services, url, { acceptsPages: true })
  const uri = textOf(document?.['id'])
  if (!document || uri === undefined) return undefined
  if (readActor(document)) {
    const account = await resolveActor(services, uri)
    return account === undefined ? undefined : { kind: 'account', id: account }
  }
  const status = await resolveStatus(services, uri)
  return status === undefined ? undefined : { kind: 'status', id: status.id }
}

async function refreshAccount(services: Services, account: Id): Promise<void> {
  const found = await services.database.one(findUri, { account })
  if (found) await resolveActor(services, found.uri, { refresh: true })
}

/** Looks up on other servers what people search for. */
export const openRemoteLookup = (services: Services): RemoteLookup => ({
  findHandle: (username, domain) => resolveHandle(services, username, domain),
  findUrl: url => findUrl(services, url),
  fetchUrl: url => ignoreOutgoingFailure(fetchUrl(services, url)),
  refreshAccount: account => ignoreOutgoingFailure(refreshAccount(services, account)),
  refreshReplies: status => refreshReplies(services, status),
  refreshStatus: status => ignoreOutgoingFailure(refreshStatus(services, status)),
})
