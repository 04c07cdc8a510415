import { removeAccount } from '../../accounts/deletion/index.ts'
import { CliError } from '../cli_error.ts'
import { logOperatorAction } from '../log_operator_action.ts'
import { openProgress } from '../progress.ts'
import type { CliContext } from '../cli_context.ts'
import { findUser, findUserByEmail } from './user.ts'

export interface DeleteOptions {
  email?: string
  dryRun?: boolean
}

/** `accounts delete`: the username stays reserved, the address does not. @throws CliError */
export async function deleteUser(
  context: CliContext,
  username: string | undefined,
  { email, dryRun }: DeleteOptions,
): Promise<void> {
  if (username !== undefined && email !== undefined) throw new CliError('Use username or --email, not both')
  if (username === undefined && email === undefined) throw new CliError('No username provided')
  const services = await context.services()
  const user =
    username === undefined
      ? await findUserByEmail(services.database, email ?? '')
      : await findUser(services.database, username)
  const dry = dryRun ? ' (DRY RUN)' : ''
  context.print(`Deleting user with ${user.statuses_count} statuses, this might take a while...${dry}`)
  if (!dryRun) {
    await logOperatorAction(services.database, 'destroy', { type: 'Account', id: user.id, name: user.username })
    const progress = openProgress(context, 'rows')
    await removeAccount(services, { account: user.id, freesName: false }, { each: progress.add }).finally(progress.end)
  }
  context.print(`OK${dry}`)
}
