import { rotateAllKeys, rotateKey } from '../../federation/index.ts'
import { CliError } from '../cli_error.ts'
import type { CliContext } from '../cli_context.ts'
import { logOperatorAction } from '../log_operator_action.ts'
import { formatTime } from '../format_time.ts'
import { openProgress } from '../progress.ts'
import { findLocal } from './user.ts'

export interface RotateOptions {
  all?: boolean
}

async function rotateAll(context: CliContext): Promise<void> {
  const services = await context.services()
  const progress = openProgress(context, 'accounts')
  let rotated = 0
  await rotateAllKeys(services, {
    resumed: (start, done) =>
      context.print(`Resumes the rotation of ${formatTime(start)} UTC, which has replaced ${done} keys`),
    each(amount) {
      rotated += amount
      progress.add(amount)
    },
  })
  progress.end()
  context.print(`OK, rotated keys for ${rotated} accounts`)
}

/**
 * `accounts rotate`: replaces the signing keys of an account or of all local ones. Accounts that
 * have not signed anything yet get their keys when they do. @throws CliError
 */
export async function rotate(context: CliContext, username: string | undefined, { all }: RotateOptions): Promise<void> {
  if (all) return rotateAll(context)
  if (username === undefined) throw new CliError('No account(s) given')
  const services = await context.services()
  const account = await findLocal(services.database, username)
  if (!account) throw new CliError('No such account')
  await logOperatorAction(services.database, 'rotate_keys', { type: 'Account', id: account.id, name: account.username })
  await rotateKey(services, account.id)
  context.print('OK')
}
