import { changeAccountState } from '../../moderation/index.ts'
import type { CliContext } from '../cli_context.ts'
import { findTarget } from './user.ts'

/**
 * `accounts suspend` and `unsuspend`, without a strike. No data is deleted, so a suspension can be
 * undone. @throws CliError
 */
export async function suspend(context: CliContext, acct: string, suspended: boolean): Promise<void> {
  const { database } = await context.services()
  const account = await findTarget(database, acct)
  const change = suspended ? 'suspend' : 'unsuspend'
  await database.transaction(transaction => changeAccountState(transaction, null, account, change))
  context.print('OK')
}
