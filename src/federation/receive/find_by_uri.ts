import type { Id } from '../../core/id.ts'
import { c, query, type Row, type Runner } from '../../platform/database/index.ts'
import { OutgoingFailure } from '../../platform/http_client/index.ts'
import type { Services } from '../../platform/services.ts'
import { orOutgoingFailure } from '../fetch/index.ts'
import { resolveActor } from '../remote_accounts/index.ts'
import { parseLocalPage, parseLocalUri, isStorableUri } from '../protocol/index.ts'

const KNOWN_STATUS = {
  id: c.id,
  account_id: c.id,
  local: c.boolean,
  visibility: c.visibility,
  reblog_of_id: c.nullable(c.id),
  created_at: c.timestamp,
  edited_at: c.nullable(c.timestamp),
} as const
const findStatuses = query(
  'federation/receive/statuses_by_uri',
  { uris: c.texts, local_ids: c.ids },
  { ...KNOWN_STATUS, uri: c.nullable(c.text) },
)
const findStatus = query('federation/receive/status_by_uri', { uri: c.text, local_id: c.nullable(c.id) }, KNOWN_STATUS)
const findAccounts = query(
  'federation/receive/accounts_by_uri',
  { uris: c.texts, local_ids: c.ids, usernames: c.texts },
  { id: c.id, uri: c.text, username: c.text, is_local: c.boolean },
)

export type StoredStatus = Row<typeof KNOWN_STATUS>

/**
 * The local status that a URI, or the address of its page, names; it need not exist. In the address
 * only the id counts, as in Mastodon, so that its author is unknown.
 */
function parseLocalStatus(
  { publicUrl }: Services['config'],
  uri: string,
): { readonly status: Id; readonly account?: Id } | undefined {
  const local = parseLocalUri(uri, publicUrl)
  if (local) return local.kind === 'status' || local.kind === 'activity' ? local : undefined
  const status = parseLocalPage(uri, publicUrl)?.status
  return status === undefined ? undefined : { status }
}

/**
 * Finds the stored status with this URI, local or remote.
 * @param prefetched rows that were read before
 */
export async function findStatusByUri(
  { config }: Services,
  runner: Runner,
  uri: string | undefined,
  prefetched?: ReadonlyMap<string, StoredStatus | undefined>,
): Promise<StoredStatus | undefined> {
  if (uri === undefined || !isStorableUri(uri)) return undefined
  if (prefetched?.has(uri) === true) return prefetched.get(uri)
  const local = parseLocalStatus(config, uri)
  const found = await runner.one(findStatus, { uri, local_id: local?.status ?? null })
  return local?.account === undefined || found?.account_id === local.account ? found : undefined
}

/** As `findStatusByUri` for several URIs; undefined for unknown ones. */
export async function prefetchStatuses(
  { config, database }: Services,
  uris: readonly string[],
): Promise<Map<string, StoredStatus | undefined>> {
  const locals = uris.flatMap(uri => {
    const local = parseLocalStatus(config, uri)
    return local ? [{ ...local, uri }] : []
  })
  const rows = await database.run(findStatuses, { uris: [...uris], local_ids: locals.map(({ status }) => status) })
  const found = new Map<string, StoredStatus | undefined>(uris.map(uri => [uri, undefined]))
  const byId = new Map<Id, StoredStatus>()
  for (const { uri, ...status } of rows) {
    if (uri !== null) found.set(uri, status)
    byId.set(status.id, status)
  }
  for (const { uri, status: id, account } of locals) {
    const status = byId.get(id)
    if (status && (account === undefined || status.account_id === account)) found.set(uri, status)
  }
  return found
}

/** The id in the URI of a local account, which need not exist. */
export function parseLocalAccount({ config }: Services, uri: string | undefined): Id | undefined {
  const local = uri === undefined ? undefined : parseLocalUri(uri, config.publicUrl)
  return local?.kind === 'account' ? local.account : undefined
}

export interface StoredAccount {
  readonly id: Id
  readonly isLocal: boolean
}

/** As `findAccountsByUri`, with undefined for unknown URIs. */
export async function prefetchAccounts(
  services: Services,
  uris: readonly string[],
): Promise<Map<string, StoredAccount | undefined>> {
  const known = await findAccountsByUri(services, uris)
  return new Map(uris.map(uri => [uri, known.get(uri)]))
}

/**
 * Finds the stored accounts with these URIs, except hidden ones, by URI. Local ones are also found
 * by the addresses of their profiles.
 * @param prefetched rows that were read before; used when they include all URIs
 */
export async function findAccountsByUri(
  services: Services,
  uris: readonly string[],
  prefetched?: ReadonlyMap<string, StoredAccount | undefined>,
): Promise<Map<string, StoredAccount>> {
  if (prefetched && uris.every(uri => prefetched.has(uri))) {
    const found = uris.map(uri => [uri, prefetched.get(uri)] as const)
    return new Map(found.flatMap(([uri, account]) => (account ? [[uri, account] as const] : [])))
  }
  const { publicUrl } = services.config
  const ids = new Map<string, Id>()
  const names = new Map<string, string>()
  const others: string[] = []
  for (const uri of uris) {
    const id = parseLocalAccount(services, uri)
    const page = parseLocalPage(uri, publicUrl)
    if (id !== undefined) ids.set(uri, id)
    else if (page && page.status === undefined) names.set(uri, page.username)
    else if (isStorableUri(uri) && !uri.startsWith(`${publicUrl}/`)) others.push(uri)
  }
  if (ids.size + names.size + others.length === 0) return new Map()
  const rows = await services.database.run(findAccounts, {
    uris: others,
    local_ids: [...new Set(ids.values())],
    usernames: [...new Set(names.values())],
  })
  const found = new Map<string, StoredAccount>()
  const [localsById, localsByName] = [new Map<Id, StoredAccount>(), new Map<string, StoredAccount>()]
  for (const { id, uri, username, is_local: isLocal } of rows) {
    const account = { id, isLocal }
    if (isLocal) localsById.set(id, account)
    if (isLocal) localsByName.set(username, account)
    else found.set(uri, account)
  }
  for (const uri of uris) {
    const account = localsById.get(ids.get(uri) ?? '') ?? localsByName.get(names.get(uri) ?? '')
    if (account) found.set(uri, account)
  }
  return found
}

/**
 * The maximum number of unknown accounts that are fetched for one status: about 400 for the longest
 * chain of ancestors.
 */
const MAX_FETCHED = 9

/** Accounts by URI, and those whose servers gave no answer. */
interface ResolvedAccounts {
  readonly accounts: Map<string, StoredAccount>
  readonly unanswered: readonly string[]
  /** The last failure; undefined when every server answered. */
  readonly failure: OutgoingFailure | undefined
}

/** As `findAccountsByUri`; unknown accounts are fetched and stored. */
export async function resolveAccounts(
  services: Services,
  uris: readonly string[],
  prefetched?: ReadonlyMap<string, StoredAccount | undefined>,
): Promise<ResolvedAccounts> {
  const accounts = await findAccountsByUri(services, uris, prefetched)
  const unknown = uris.filter(uri => !accounts.has(uri) && !uri.startsWith(`${services.config.publicUrl}/`))
  const unanswered: string[] = []
  let failure: OutgoingFailure | undefined
  for (const uri of unknown.slice(0, MAX_FETCHED)) {
    const found = isStorableUri(uri) ? await orOutgoingFailure(resolveActor(services, uri)) : undefined
    if (found instanceof OutgoingFailure) {
      unanswered.push(uri)
      failure = found
    } else if (found !== undefined) accounts.set(uri, { id: found, isLocal: false })
  }
  return { accounts, unanswered, failure }
}
