import { pruneAccounts } from '../../moderation/retention/index.ts'
import type { CliContext } from '../cli_context.ts'
import { logOperatorAction } from '../log_operator_action.ts'
import { openProgress } from '../progress.ts'

export interface PruneOptions {
  concurrency: number
  dryRun?: boolean
}

/** `accounts prune`: removes remote accounts without any relation to local accounts. */
export async function prune(context: CliContext, { concurrency, dryRun = false }: PruneOptions): Promise<void> {
  const services = await context.services()
  if (!dryRun) await logOperatorAction(services.database, 'purge', { type: 'Account', name: 'accounts prune' })
  const progress = openProgress(context, 'accounts')
  let pruned = 0
  await pruneAccounts(services, {
    concurrency,
    dryRun,
    each() {
      pruned += 1
      progress.add(1)
    },
  })
  progress.end()
  context.print(`OK, pruned ${pruned} accounts${dryRun ? ' (DRY RUN)' : ''}`)
}
