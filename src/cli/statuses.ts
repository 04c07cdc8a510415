import type { Command } from 'commander'
import { countRemoteStatuses, removeRemoteStatuses } from '../moderation/retention/index.ts'
import { flag, wholeNumber } from './flag.ts'
import { logOperatorAction } from './log_operator_action.ts'
import { openProgress } from './progress.ts'
import type { CliContext } from './cli_context.ts'

interface RemoveOptions {
  days: number
  batchSize: number
  cleanFollowed?: boolean
}

const DAY_MS = 86_400_000
const SECOND_MS = 1000

async function remove(session: CliContext, options: RemoveOptions): Promise<void> {
  const { database } = await session.services()
  const started = performance.now()
  const before = new Date(Date.now() - options.days * DAY_MS)
  const total = await countRemoteStatuses(database, before)
  await logOperatorAction(database, 'purge', { type: 'Status', name: `${options.days} d` })
  const progress = openProgress(session, 'statuses')
  const removed = await removeRemoteStatuses(database, {
    before,
    batchSize: options.batchSize,
    cleanFollowed: options.cleanFollowed === true,
    each: amount => progress.add(amount),
  })
  progress.end()
  const seconds = Math.round((performance.now() - started) / SECOND_MS)
  session.print(`Done after ${seconds}s, removed ${removed} out of ${total} statuses.`)
}

/** Stored remote statuses. */
export function addStatuses(program: Command, session: CliContext): void {
  const removal = program
    .command('statuses')
    .description('statuses of other servers')
    .command('remove')
    .description('remove old statuses without local interaction')
    .option('--days <n>', 'older than this many days', wholeNumber(0), 90)
    .option('-b, --batch-size <n>', 'how many at once', wholeNumber(1, 10_000), 1000)
  flag(removal, '--clean-followed', 'also of accounts that people here follow')
  removal.action((options: RemoveOptions) => remove(session, options))
}
