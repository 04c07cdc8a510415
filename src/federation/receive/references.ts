import type { Id } from '../../core/id.ts'
import { c, query, type Row, type Runner } from '../../platform/database/index.ts'
import type { Services } from '../../platform/services.ts'
import { resolveActor } from '../remote_accounts/index.ts'
import { parseLocalUri } from '../protocol/index.ts'

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
  'federation/receive/known_statuses',
  { uris: c.texts, local_ids: c.ids },
  { ...KNOWN_STATUS, uri: c.nullable(c.text) },
)
const findStatus = query('federation/receive/known_status', { uri: c.text, local_id: c.nullable(c.id) }, KNOWN_STATUS)
const findAccounts = query(
  'federation/receive/known_accounts',
  { uris: c.texts, local_ids: c.ids },
  { id: c.id, uri: c.text, is_local: c.boolean },
)

export type KnownStatus = Row<typeof KNOWN_STATUS>

/** The most bytes that fit into an index. */
const MAX_URI_BYTES = 2048

/** Whether a URI is short enough to be looked up and stored. */
export const isBounded = (uri: string): boolean => Buffer.byteLength(uri) <= MAX_URI_BYTES

/**
 * The status with this URI, of this server or another.
 * @param prefetched what was read before
 */
export async function knownStatus(
  { config }: Services,
  runner: Runner,
  uri: string | undefined,
  prefetched?: ReadonlyMap<string, KnownStatus | undefined>,
): Promise<KnownStatus | undefined> {
  if (uri === undefined || !isBounded(uri)) return undefined
  if (prefetched?.has(uri) === true) return prefetched.get(uri)
  const local = parseLocalUri(uri, config.publicUrl)
  const isStatus = local?.kind === 'status' || local?.kind === 'activity'
  const found = await runner.one(findStatus, { uri, local_id: isStatus ? local.status : null })
  if (!found || !isStatus) return found
  return found.account_id === local.account ? found : undefined
}

/** As `knownStatus`, of several; undefined for those that are unknown. */
export async function findStatusesByUri(
  { config, database }: Services,
  uris: readonly string[],
): Promise<Map<string, KnownStatus | undefined>> {
  const locals = uris.flatMap(uri => {
    const local = parseLocalUri(uri, config.publicUrl)
    return local?.kind === 'status' || local?.kind === 'activity' ? [{ ...local, uri }] : []
  })
  const rows = await database.run(findStatuses, { uris: [...uris], local_ids: locals.map(({ status }) => status) })
  const found = new Map<string, KnownStatus | undefined>(uris.map(uri => [uri, undefined]))
  const byId = new Map<Id, KnownStatus>()
  for (const { uri, ...status } of rows) {
    if (uri !== null) found.set(uri, status)
    byId.set(status.id, status)
  }
  for (const { uri, status: id, account } of locals) {
    const status = byId.get(id)
    if (status?.account_id === account) found.set(uri, status)
  }
  return found
}

/** The local account with this URI; it may be unknown. */
export function localAccount({ config }: Services, uri: string | undefined): Id | undefined {
  const local = uri === undefined ? undefined : parseLocalUri(uri, config.publicUrl)
  return local?.kind === 'account' ? local.account : undefined
}

export interface KnownAccount {
  readonly id: Id
  readonly isLocal: boolean
}

/** As `knownAccounts`; undefined for those that are unknown. */
export async function findAccountsByUri(
  services: Services,
  uris: readonly string[],
): Promise<Map<string, KnownAccount | undefined>> {
  const known = await knownAccounts(services, uris)
  return new Map(uris.map(uri => [uri, known.get(uri)]))
}

/**
 * The accounts with these URIs as far as they are known and not hidden, by URI.
 * @param prefetched what was read before; it counts when it has all
 */
export async function knownAccounts(
  services: Services,
  uris: readonly string[],
  prefetched?: ReadonlyMap<string, KnownAccount | undefined>,
): Promise<Map<string, KnownAccount>> {
  if (prefetched && uris.every(uri => prefetched.has(uri))) {
    const found = uris.map(uri => [uri, prefetched.get(uri)] as const)
    return new Map(found.flatMap(([uri, account]) => (account ? [[uri, account] as const] : [])))
  }
  const locals = new Map<Id, string>()
  const others: string[] = []
  for (const uri of uris) {
    const local = localAccount(services, uri)
    if (local !== undefined) locals.set(local, uri)
    else if (isBounded(uri) && !uri.startsWith(`${services.config.publicUrl}/`)) others.push(uri)
  }
  if (locals.size + others.length === 0) return new Map()
  const rows = await services.database.run(findAccounts, { uris: others, local_ids: [...locals.keys()] })
  return new Map(
    rows.map(({ id, uri, is_local: isLocal }) => [isLocal ? (locals.get(id) ?? '') : uri, { id, isLocal }]),
  )
}

/**
 * The most unknown accounts of one status that are fetched: 400 for the longest chain of ancestors.
 */
const MAX_FETCHED = 9

/** As `knownAccounts`; unknown ones are fetched. */
export async function namedAccounts(
  services: Services,
  uris: readonly string[],
  prefetched?: ReadonlyMap<string, KnownAccount | undefined>,
): Promise<Map<string, KnownAccount>> {
  const known = await knownAccounts(services, uris, prefetched)
  const unknown = uris.filter(uri => !known.has(uri) && !uri.startsWith(`${services.config.publicUrl}/`))
  for (const uri of unknown.slice(0, MAX_FETCHED)) {
    const id = isBounded(uri) ? await resolveActor(services, uri) : undefined
    if (id !== undefined) known.set(uri, { id, isLocal: false })
  }
  return known
}
