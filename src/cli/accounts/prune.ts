import { removeAccount } from '../../accounts/deletion/index.ts'
import { unrelatedAccounts } from '../../moderation/retention/index.ts'
import type { CliContext } from '../cli_context.ts'
import { forEachConcurrently } from '../for_each_concurrently.ts'
import { logOperatorAction } from '../log_operator_action.ts'
import { openProgress } from '../progress.ts'

export interface PruneOptions {
  concurrency: number
  dryRun?: boolean
}

/** Newer accounts are kept: a user may be about to follow them. */
const MIN_AGE_MS = 86_400_000

/** `accounts prune`: removes remote accounts without any relation to local accounts. */
export async function prune(context: CliContext, { concurrency, dryRun = false }: PruneOptions): Promise<void> {
  const services = await context.services()
  const { database } = services
  if (!dryRun) await logOperatorAction(database, 'purge', { type: 'Account', name: 'accounts prune' })
  const progress = openProgress(context, 'accounts')
  let pruned = 0
  await forEachConcurrently(
    unrelatedAccounts(database, new Date(Date.now() - MIN_AGE_MS)),
    concurrency,
    async account => {
      if (!dryRun) await removeAccount(services, { account, freesName: true })
      pruned += 1
      progress.add(1)
    },
  )
  progress.end()
  context.print(`OK, pruned ${pruned} accounts${dryRun ? ' (DRY RUN)' : ''}`)
}
