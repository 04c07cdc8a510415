import {
  followAll as followFromAllAccounts,
  unfollowAll as unfollowFromAllAccounts,
} from '../../moderation/tasks/index.ts'
import { openProgress } from '../progress.ts'
import { CliError } from '../cli_error.ts'
import { logOperatorAction } from '../log_operator_action.ts'
import type { CliContext } from '../cli_context.ts'
import { stripAt, findLocal, findTarget } from './user.ts'

async function withProgress(
  context: CliContext,
  verbose: boolean,
  work: (each: (amount: number) => void) => Promise<number>,
): Promise<number> {
  const progress = openProgress(context, 'accounts')
  const count = await work(amount => {
    progress.add(amount)
    if (verbose && amount > 0) context.print(`${amount} accounts`)
  })
  progress.end()
  return count
}

/** `accounts follow`: makes every local account follow a local one. @throws CliError */
export async function followAll(context: CliContext, username: string, verbose: boolean): Promise<void> {
  const { database } = await context.services()
  const target = await findLocal(database, username)
  if (!target || target.suspended) throw new CliError('No such account')
  await logOperatorAction(database, 'follow_all', { type: 'Account', id: target.id, name: target.username })
  const count = await withProgress(context, verbose, each => followFromAllAccounts(database, target.id, { each }))
  context.print(`OK, followed target from ${count} accounts`)
}

/** `accounts unfollow`: makes every local account unfollow an account. @throws CliError */
export async function unfollowAll(context: CliContext, acct: string, verbose: boolean): Promise<void> {
  const { database } = await context.services()
  const target = await findTarget(database, acct)
  await logOperatorAction(database, 'unfollow_all', { type: 'Account', id: target, name: stripAt(acct) })
  const count = await withProgress(context, verbose, each => unfollowFromAllAccounts(database, target, { each }))
  context.print(`OK, unfollowed target from ${count} accounts`)
}
