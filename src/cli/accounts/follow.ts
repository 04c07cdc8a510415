import { followAll as makeFollow, unfollowAll as endFollows } from '../../moderation/tasks/index.ts'
import { openProgress } from '../progress.ts'
import { CliError } from '../cli_error.ts'
import { logOperatorAction } from '../log_operator_action.ts'
import type { CliContext } from '../cli_context.ts'
import { bareName, findLocal, findTarget } from './user.ts'

async function withProgress(
  session: CliContext,
  verbose: boolean,
  work: (each: (amount: number) => void) => Promise<number>,
): Promise<number> {
  const progress = openProgress(session, 'accounts')
  const count = await work(amount => {
    progress.add(amount)
    if (verbose && amount > 0) session.print(`${amount} accounts`)
  })
  progress.end()
  return count
}

/** `accounts follow`: makes every local account follow a local one. @throws CliError */
export async function followAll(session: CliContext, username: string, verbose: boolean): Promise<void> {
  const { database } = await session.services()
  const target = await findLocal(database, username)
  if (!target || target.suspended) throw new CliError('No such account')
  await logOperatorAction(database, 'follow_all', { type: 'Account', id: target.id, name: target.username })
  const count = await withProgress(session, verbose, each => makeFollow(database, target.id, { each }))
  session.print(`OK, followed target from ${count} accounts`)
}

/** `accounts unfollow`: makes all local accounts unfollow it. @throws CliError */
export async function unfollowAll(session: CliContext, acct: string, verbose: boolean): Promise<void> {
  const { database } = await session.services()
  const target = await findTarget(database, acct)
  await logOperatorAction(database, 'unfollow_all', { type: 'Account', id: target, name: bareName(acct) })
  const count = await withProgress(session, verbose, each => endFollows(database, target, { each }))
  session.print(`OK, unfollowed target from ${count} accounts`)
}
