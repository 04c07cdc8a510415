import { removeAccount } from '../../accounts/deletion/index.ts'
import { listInactiveAccounts, isGone } from '../../federation/index.ts'
import type { CliContext } from '../cli_context.ts'
import { forEachConcurrently } from '../for_each_concurrently.ts'
import { logOperatorAction } from '../log_operator_action.ts'
import { openProgress } from '../progress.ts'

export interface CullOptions {
  concurrency: number
  dryRun?: boolean
}

/** Accounts with activity since then are not checked. */
const INACTIVE_AFTER_MS = 7 * 86_400_000

/**
 * `accounts cull`: checks accounts with their servers, and removes those that no longer exist. A
 * server that does not respond is not queried again.
 */
export async function cull(
  context: CliContext,
  domains: readonly string[],
  { concurrency, dryRun = false }: CullOptions,
): Promise<void> {
  const services = await context.services()
  if (!dryRun) {
    const name = ['accounts cull', ...domains].join(' ')
    await logOperatorAction(services.database, 'purge', { type: 'Account', name })
  }
  const accounts = listInactiveAccounts(
    services,
    domains.map(domain => domain.toLowerCase()),
    new Date(Date.now() - INACTIVE_AFTER_MS),
  )
  const unavailable = new Set<string>()
  const progress = openProgress(context, 'accounts')
  let visited = 0
  let removed = 0
  await forEachConcurrently(accounts, concurrency, async account => {
    const domain = account.acct.slice(account.acct.indexOf('@') + 1)
    if (unavailable.has(domain)) return
    const isRemoved = await isGone(services, account)
    if (isRemoved === undefined) unavailable.add(domain)
    else if (isRemoved) {
      if (!dryRun) await removeAccount(services, { account: account.id, freesName: true })
      removed += 1
    }
    visited += 1
    progress.add(1)
  })
  progress.end()
  context.print(`Visited ${visited} accounts, removed ${removed}${dryRun ? ' (DRY RUN)' : ''}`)
  if (unavailable.size === 0) return
  context.print('The following domains were not available during the check:')
  for (const domain of [...unavailable].toSorted()) context.print(`    ${domain}`)
}
