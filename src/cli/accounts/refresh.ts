import { refreshAccount, listRemoteAccounts, type RemoteAccount } from '../../federation/index.ts'
import { CliError } from '../cli_error.ts'
import type { CliContext } from '../cli_context.ts'
import { forEachConcurrently } from '../for_each_concurrently.ts'
import { openProgress } from '../progress.ts'
import { findTarget } from './user.ts'

export interface RefreshOptions {
  all?: boolean
  domain?: string
  concurrency: number
  verbose?: boolean
  dryRun?: boolean
}

/** Refreshes accounts concurrently; returns how many were refreshed. */
async function refreshAll(
  context: CliContext,
  accounts: AsyncIterable<RemoteAccount>,
  { concurrency, verbose, dryRun }: RefreshOptions,
): Promise<number> {
  const services = await context.services()
  const progress = openProgress(context, 'accounts')
  let refreshed = 0
  const refresh = async (account: RemoteAccount): Promise<void> => {
    const isRefreshed = dryRun === true || (await refreshAccount(services, account))
    if (isRefreshed) refreshed += 1
    else context.print(`Account failed: ${account.acct}`)
    if (isRefreshed && verbose) context.print(account.acct)
    progress.add(1)
  }
  await forEachConcurrently(accounts, concurrency, refresh)
  progress.end()
  return refreshed
}

/**
 * `accounts refresh`: fetches remote accounts again, with their avatars and headers.
 * @throws CliError
 */
export async function refresh(context: CliContext, accts: readonly string[], options: RefreshOptions): Promise<void> {
  const services = await context.services()
  const dry = options.dryRun ? ' (DRY RUN)' : ''
  if (options.all || options.domain !== undefined) {
    const domain = options.domain?.toLowerCase() ?? null
    const refreshed = await refreshAll(context, listRemoteAccounts(services, { domain }), options)
    return context.print(`Refreshed ${refreshed} accounts${dry}`)
  }
  if (accts.length === 0) throw new CliError('No account(s) given')
  const ids = await Promise.all(accts.map(acct => findTarget(services.database, acct)))
  for (const account of ids) await refreshAll(context, listRemoteAccounts(services, { account }), options)
  context.print(`OK${dry}`)
}
