import type { Command } from 'commander'
import { forEachOrphan } from '../moderation/retention/index.ts'
import type { CliContext } from './cli_context.ts'
import { flag } from './flag.ts'
import { formatBytes } from './format_bytes.ts'
import { logOperatorAction } from './log_operator_action.ts'
import { openProgress } from './progress.ts'

interface OrphanOptions {
  prefix?: string
  startAfter?: string
  dryRun?: boolean
}

/**
 * `media remove-orphans`: removes stored files that no row names. Files of the last hour are kept:
 * they may belong to an upload whose row is not stored yet.
 */
async function removeOrphans(context: CliContext, options: OrphanOptions): Promise<void> {
  const services = await context.services()
  const { prefix = '', startAfter = '', dryRun = false } = options
  if (!dryRun) await logOperatorAction(services.database, 'purge', { type: 'Media', name: 'orphans' })
  const progress = openProgress(context, 'files')
  let removed = 0
  let freedBytes = 0
  await forEachOrphan(
    services,
    checked => progress.add(checked),
    async key => {
      if (!key.startsWith(prefix) || key <= startAfter) return
      freedBytes += (await services.storage.sizeOf(key)) ?? 0
      removed += 1
      if (!dryRun) await services.storage.remove(key)
    },
  )
  progress.end()
  context.print(`Removed ${removed} orphans (approx. ${formatBytes(freedBytes)})${dryRun ? ' (DRY RUN)' : ''}`)
}

export function addOrphans(group: Command, context: CliContext): void {
  const removal = group
    .command('remove-orphans')
    .description('remove stored files that no record references')
    .option('--prefix <text>', 'only files whose key has this prefix, such as avatars/')
    .option('--start-after <key>', 'only files whose key sorts after this one')
  flag(removal, '--fix-permissions', 'accepted for compatibility')
  flag(removal, '--dry-run', 'change nothing')
  removal.action((options: OrphanOptions) => removeOrphans(context, options))
}
