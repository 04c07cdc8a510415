import type { Id } from '../../core/id.ts'
import { refreshAccounts } from '../../federation/index.ts'
import { CliError } from '../cli_error.ts'
import type { CliContext } from '../cli_context.ts'
import { domainArgument } from '../domain_argument.ts'
import { logOperatorAction } from '../log_operator_action.ts'
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
  which: { readonly domain?: string | null; readonly account?: Id },
  { concurrency, verbose, dryRun = false }: RefreshOptions,
): Promise<number> {
  const services = await context.services()
  const progress = openProgress(context, 'accounts')
  let refreshed = 0
  await refreshAccounts(services, which, {
    concurrency,
    dryRun,
    each({ acct }, isRefreshed) {
      if (isRefreshed) refreshed += 1
      else context.print(`Account failed: ${acct}`)
      if (isRefreshed && verbose) context.print(acct)
      progress.add(1)
    },
  })
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
    const domain = options.domain === undefined ? null : domainArgument(options.domain)
    const name = `accounts refresh ${domain === null ? '--all' : `--domain ${domain}`}`
    if (!options.dryRun) await logOperatorAction(services.database, 'refresh', { type: 'Account', name })
    const refreshed = await refreshAll(context, { domain }, options)
    return context.print(`Refreshed ${refreshed} accounts${dry}`)
  }
  if (accts.length === 0) throw new CliError('No account(s) given')
  const ids = await Promise.all(accts.map(acct => findTarget(services.database, acct)))
  for (const [index, account] of ids.entries()) {
    const name = accts[index] ?? ''
    if (!options.dryRun) await logOperatorAction(services.database, 'refresh', { type: 'Account', id: account, name })
    await refreshAll(context, { account }, options)
  }
  context.print(`OK${dry}`)
}
