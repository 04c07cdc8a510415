import type { RemoteLookup } from '../../accounts/index.ts'
import type { Id } from '../../core/id.ts'
import { c, query } from '../../platform/database/index.ts'
import type { Services } from '../../platform/services.ts'
import { readActor } from '../actors/index.ts'
import { fetchObject, ignoreOutgoingFailure } from '../fetch/index.ts'
import { refreshReplies, refreshStatus, resolveStatus } from '../receive/index.ts'
import { resolveActor, resolveHandle } from '../remote_accounts/index.ts'
import { textOf } from '../protocol/index.ts'

const findUri = query('federation/lookup/account_uri', { account: c.id }, { uri: c.text })

async function findUrl(services: Services, url: string): ReturnType<RemoteLookup['findUrl']> {
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
  findUrl: url => ignoreOutgoingFailure(findUrl(services, url)),
  refreshAccount: account => ignoreOutgoingFailure(refreshAccount(services, account)),
  refreshReplies: status => refreshReplies(services, status),
  refreshStatus: status => ignoreOutgoingFailure(refreshStatus(services, status)),
})
