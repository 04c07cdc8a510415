import { removeAccount } from '../../accounts/deletion/index.ts'
import { c, query, type Database } from '../../platform/database/index.ts'
import type { Id } from '../../core/id.ts'
import { job } from '../../platform/jobs/index.ts'
import type { Services } from '../../platform/services.ts'
import { accountsOf, domainIn } from './accounts.ts'
import { removeEmojis } from './emojis.ts'

const findKnown = query('moderation/domain_rules/known', {}, { domain: c.text, allowed: c.boolean })
const findByUri = query('moderation/domain_rules/by_uri', { host: c.text, below: c.boolean }, { id: c.id })

/** The domains that limited federation mode does not allow and yet has accounts or emojis of. */
export const domainsNotAllowed = async (database: Database): Promise<string[]> =>
  (await database.run(findKnown, {})).filter(({ allowed }) => !allowed).map(({ domain }) => domain)

export interface Purge {
  readonly domain: string
  /** Domains below it too. */
  readonly below: boolean
  /** Found by the host of their identifiers instead of the domain of their handles. */
  readonly byUri?: boolean
}

/** The accounts that a purge would remove. */
export const accountsToPurge = async (database: Database, { domain, below, byUri }: Purge): Promise<Id[]> =>
  byUri === true
    ? (await database.run(findByUri, { host: domain, below })).map(({ id }) => id)
    : accountsOf(database, domain, below)

/** Removes all accounts of a domain for good, and its custom emojis. Other servers hear nothing of it. */
export const purgeDomain = job<{ domain: string }, Services>(
  'moderated_domains.purge',
  payload => ({ domain: domainIn(payload) }),
  async ({ domain }, services, { signal }) => {
    for (const account of await accountsOf(services.database, domain, false)) {
      await removeAccount(services, { account, freesName: true }, signal)
    }
    await removeEmojis(services, domain, false)
  },
)
