import { resetRelationships as removeRelationships } from '../../moderation/tasks/index.ts'
import { CliError } from '../cli_error.ts'
import { logOperatorAction } from '../log_operator_action.ts'
import { openProgress } from '../progress.ts'
import type { CliContext } from '../cli_context.ts'
import { findLocal } from './user.ts'

export interface ResetOptions {
  follows?: boolean
  followers?: boolean
}

/**
 * `accounts reset-relationships`: removes the follows, the followers, or both of an account.
 * @throws CliError
 */
export async function resetRelationships(context: CliContext, username: string, options: ResetOptions): Promise<void> {
  const [follows, followers] = [options.follows === true, options.followers === true]
  if (!follows && !followers) throw new CliError('Please specify either --follows or --followers, or both')
  const { database } = await context.services()
  const account = await findLocal(database, username)
  if (!account) throw new CliError('No such account')
  await logOperatorAction(database, 'reset_relationships', { type: 'Account', id: account.id, name: account.username })
  const progress = openProgress(context, 'relationships')
  const reset = { account: account.id, follows, followers }
  const count = await removeRelationships(database, reset, { each: amount => progress.add(amount) })
  progress.end()
  context.print(`Processed ${count} relationships`)
}
