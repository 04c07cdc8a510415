import { resetRelationships as endRelationships } from '../../moderation/tasks/index.ts'
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
 * `accounts reset-relationships`: ends the follows by an account, of it, or both.
 * @throws CliError
 */
export async function resetRelationships(session: CliContext, username: string, options: ResetOptions): Promise<void> {
  const [follows, followers] = [options.follows === true, options.followers === true]
  if (!follows && !followers) throw new CliError('Please specify either --follows or --followers, or both')
  const { database } = await session.services()
  const found = await findLocal(database, username)
  if (!found) throw new CliError('No such account')
  await logOperatorAction(database, 'reset_relationships', { type: 'Account', id: found.id, name: found.username })
  const progress = openProgress(session, 'relationships')
  const reset = { account: found.id, follows, followers }
  const count = await endRelationships(database, reset, { each: amount => progress.add(amount) })
  progress.end()
  session.print(`Processed ${count} relationships`)
}
