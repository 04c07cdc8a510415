import { removeAccount } from '../../accounts/deletion/index.ts'
import { c, query, type Database } from '../../platform/database/index.ts'
import type { Id } from '../../core/id.ts'
import { job } from '../../platform/jobs/index.ts'
import type { Services } from '../../platform/services.ts'
import { accountsOf, domainIn } from './accounts.ts'
import { removeEmojis } from './emojis.ts'
import { findAllowOf } from './find.ts'

const findKnownDomains = query('moderation/domain_rules/known_domains', {}, { domain: c.text, allowed: c.boolean })
const findByUri = query('moderation/domain_rules/by_uri', { host: c.text, below: c.boolean }, { id: c.id })

/** Domains that are not allowed in limited federation mode, but have accounts or emojis. */
export const domainsNotAllowed = async (database: Database): Promise<string[]> =>
  (await database.run(findKnownDomains, {})).filter(({ allowed }) => !allowed).map(({ domain }) => domain)

export interface Purge {
  readonly domain: string
  /** Includes subdomains. */
  readonly below: boolean
  /** Matches the host of the accounts' URIs instead of the domain of their handles. */
  readonly byUri?: boolean
}

/** The accounts that a purge would remove. */
export const accountsToPurge = async (database: Database, { domain, below, byUri }: Purge): Promise<Id[]> =>
  byUri === true
    ? (await database.run(findByUri, { host: domain, below })).map(({ id }) => id)
    : accountsOf(database, domain, below)

interface Steps {
  readonly signal?: AbortSignal
  /** Asked before each account and before the emojis; false ends the purge. */
  continues?(): Promise<boolean>
  /** Called after each account. */
  each?(account: Id): Promise<void> | void
}

/**
 * Deletes all accounts of a domain and its custom emojis. Other servers are not informed.
 * @throws the signal's reason
 */
export async function purge(services: Services, purged: Purge, { signal, continues, each }: Steps = {}): Promise<void> {
  for (const account of await accountsToPurge(services.database, purged)) {
    signal?.throwIfAborted()
    if ((await continues?.()) === false) return
    await removeAccount(services, { account, freesName: true }, { signal })
    await each?.(account)
  }
  if ((await continues?.()) === false) return
  await removeEmojis(services, purged)
}

/** Removes what is left of a domain that is not allowed; ends when it is allowed meanwhile. */
export const purgeDomain = job<{ domain: string }, Services>(
  'moderated_domains.purge',
  payload => ({ domain: domainIn(payload) }),
  ({ domain }, services, { signal }) =>
    purge(
      services,
      { domain, below: false },
      { signal, continues: async () => (await findAllowOf(services.database, domain)) === undefined },
    ),
)
