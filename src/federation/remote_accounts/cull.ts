import { forEachConcurrently } from '../../core/for_each_concurrently.ts'
import type { Services } from '../../platform/services.ts'
import { isGone, listInactiveAccounts } from './inactive_accounts.ts'
import type { RemoteAccount } from './refresh.ts'
import { removeActorNow } from './remove.ts'

/** Accounts with activity since then are not checked. */
const INACTIVE_AFTER_MS = 7 * 86_400_000

/** The accounts that `cullAccounts` checks now: those of some domains, or all. */
export const listAccountsToCull = (services: Services, domains: readonly string[]): AsyncGenerator<RemoteAccount> =>
  listInactiveAccounts(
    services,
    domains.map(domain => domain.toLowerCase()),
    new Date(Date.now() - INACTIVE_AFTER_MS),
  )

interface Culling {
  readonly concurrency: number
  /** Nothing is removed. */
  readonly dryRun?: boolean
  readonly signal?: AbortSignal
  /** Called after each account, whether it was checked or its server had already not responded. */
  each(isVisited: boolean): Promise<void> | void
}

/**
 * Checks accounts with their servers, and removes those that no longer exist. A server that does
 * not respond is not queried again.
 * @returns how many were removed, and the domains that did not respond
 * @throws the signal's reason
 */
export async function cullAccounts(
  services: Services,
  domains: readonly string[],
  { concurrency, dryRun = false, signal, each }: Culling,
): Promise<{ removed: number; unavailable: readonly string[] }> {
  const unavailable = new Set<string>()
  let removed = 0
  await forEachConcurrently(listAccountsToCull(services, domains), concurrency, async account => {
    signal?.throwIfAborted()
    const domain = account.acct.slice(account.acct.indexOf('@') + 1)
    if (unavailable.has(domain)) return each(false)
    const isRemoved = await isGone(services, account)
    if (isRemoved === undefined) unavailable.add(domain)
    else if (isRemoved) {
      if (!dryRun) await removeActorNow(services, account.id)
      removed += 1
    }
    return each(true)
  })
  return { removed, unavailable: [...unavailable].toSorted() }
}
