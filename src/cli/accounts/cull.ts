import { cullAccounts } from '../../federation/index.ts'
import type { CliContext } from '../cli_context.ts'
import { domainArgument } from '../domain_argument.ts'
import { logOperatorAction } from '../log_operator_action.ts'
import { openProgress } from '../progress.ts'

export interface CullOptions {
  concurrency: number
  dryRun?: boolean
}

/**
 * `accounts cull`: checks accounts with their servers, and removes those that no longer exist. A
 * server that does not respond is not queried again.
 */
export async function cull(
  context: CliContext,
  given: readonly string[],
  { concurrency, dryRun = false }: CullOptions,
): Promise<void> {
  const domains = given.map(domainArgument)
  const services = await context.services()
  if (!dryRun) {
    const name = ['accounts cull', ...domains].join(' ')
    await logOperatorAction(services.database, 'purge', { type: 'Account', name })
  }
  const progress = openProgress(context, 'accounts')
  let visited = 0
  const { removed, unavailable } = await cullAccounts(services, domains, {
    concurrency,
    dryRun,
    each(isVisited) {
      if (!isVisited) return
      visited += 1
      progress.add(1)
    },
  })
  progress.end()
  context.print(`Visited ${visited} accounts, removed ${removed}${dryRun ? ' (DRY RUN)' : ''}`)
  if (unavailable.length === 0) return
  context.print('The following domains were not available during the check:')
  for (const domain of unavailable) context.print(`    ${domain}`)
}
