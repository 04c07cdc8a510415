import { approveSignUp } from '../../auth/sign_up/index.ts'
import { c, query } from '../../platform/database/index.ts'
import { CliError } from '../cli_error.ts'
import { openProgress } from '../progress.ts'
import type { CliContext } from '../cli_context.ts'
import { findLocal, findUser } from './user.ts'

export interface ApproveOptions {
  all?: boolean
  number?: number
}

const pendingUsersQuery = query('cli/pending_users', { limit: c.nullable(c.integer) }, { username: c.text })

/**
 * `accounts approve`: approves one user, all, or those pending longest. Does nothing without any.
 * @throws CliError
 */
export async function approve(
  context: CliContext,
  username: string | undefined,
  options: ApproveOptions,
): Promise<void> {
  const { all, number } = options
  if (number !== undefined && !(Number.isInteger(number) && number > 0)) throw new CliError('Number must be positive')
  if (!all && number === undefined && username === undefined) return
  const { database } = await context.services()
  let names: string[]
  if (all) names = (await database.run(pendingUsersQuery, { limit: null })).map(row => row.username)
  else if (number !== undefined)
    names = (await database.run(pendingUsersQuery, { limit: number })).map(row => row.username)
  else {
    const account = await findLocal(database, username ?? '')
    if (!account || account.user_id === null) throw new CliError('No such account')
    names = [account.username]
  }
  const progress = openProgress(context, 'users', names.length)
  for (const name of names) {
    const user = await findUser(database, name)
    if (!user.approved) await database.transaction(transaction => approveSignUp(transaction, null, user.id))
    progress.add(1)
  }
  progress.end()
  context.print('OK')
}
