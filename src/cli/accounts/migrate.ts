import { moveForUser, MoveRefused, type MoveObstacle } from '../../accounts/migration/index.ts'
import { ApiError } from '../../core/errors.ts'
import { CliError } from '../cli_error.ts'
import { logOperatorAction } from '../log_operator_action.ts'
import type { CliContext } from '../cli_context.ts'
import { stripAt, findLocal } from './user.ts'

export interface MigrateOptions {
  target?: string
  replay?: boolean
  force?: boolean
}

const OBSTACLES: Readonly<Record<MoveObstacle, (target: string) => string>> = {
  never_moved: () => 'The specified account has not performed any migration',
  redirects_elsewhere: () =>
    'The specified account is not redirecting to its last migration target. Use --force if you want to replay the migration anyway',
  unknown_target: target => `The specified target account could not be found: ${target}`,
  other_target: () =>
    'The specified account is redirecting to a different target account. Use --force if you want to change the migration target',
}

function toCliError(error: unknown, target = ''): unknown {
  if (error instanceof MoveRefused) return new CliError(OBSTACLES[error.obstacle](stripAt(target)), { cause: error })
  return error instanceof ApiError ? new CliError(`Error: ${error.message}`, { cause: error }) : error
}

/**
 * `accounts migrate`: moves an account with its followers to another one, which must name it as an
 * alias; or repeats the last move. A job moves the followers.
 * @throws CliError
 */
export async function migrate(context: CliContext, username: string, options: MigrateOptions): Promise<void> {
  const { target, replay: replays = false, force = false } = options
  if (replays && target !== undefined) throw new CliError('Use --replay or --target, not both')
  if (!replays && target === undefined) throw new CliError('Use either --replay or --target')
  const services = await context.services()
  const account = await findLocal(services.database, username)
  if (!account) throw new CliError(`No such account: ${username}`)
  const targetHandle = await moveForUser(services, account.id, { target, force }).catch((error: unknown) => {
    throw toCliError(error, target)
  })
  await logOperatorAction(services.database, 'migrate', { type: 'Account', id: account.id, name: account.username })
  context.print(`OK, migrated ${account.username} to ${targetHandle}`)
}
