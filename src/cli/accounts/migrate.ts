import { findLastMove, findMigration, moveAccount, replayMove } from '../../accounts/migration/index.ts'
import { findByHandle } from '../../accounts/index.ts'
import { ApiError } from '../../core/errors.ts'
import type { Services } from '../../platform/services.ts'
import { CliError } from '../cli_error.ts'
import { logOperatorAction } from '../log_operator_action.ts'
import type { CliContext } from '../cli_context.ts'
import { bareName, findLocal, type LocalAccount } from './user.ts'

export interface MigrateOptions {
  target?: string
  replay?: boolean
  force?: boolean
}

/** Moves the followers again after the last move; returns its target. @throws CliError */
async function replay({ database }: Services, account: LocalAccount, force: boolean): Promise<string> {
  const last = await findLastMove(database, account.id)
  if (!last) throw new CliError('The specified account has not performed any migration')
  if (!last.is_current && !force)
    throw new CliError(
      'The specified account is not redirecting to its last migration target. Use --force if you want to replay the migration anyway',
    )
  await replayMove(database, last.id)
  return bareName(last.target)
}

/** Moves the account; returns the target. @throws CliError */
async function moveTo(services: Services, account: LocalAccount, given: string, force: boolean): Promise<string> {
  const target = bareName(given)
  if ((await findByHandle(services, target)) === undefined)
    throw new CliError(`The specified target account could not be found: ${target}`)
  const state = await findMigration(services.database, account.id)
  const redirected = state?.target_username ?? undefined
  const present = redirected && `${redirected}@${state?.target_domain ?? services.config.localDomain}`
  const wanted = target.includes('@') ? target : `${target}@${services.config.localDomain}`
  if (present !== undefined && present.toLowerCase() !== wanted.toLowerCase() && !force)
    throw new CliError(
      'The specified account is redirecting to a different target account. Use --force if you want to change the migration target',
    )
  try {
    await moveAccount(services, account.id, target)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    throw new CliError(`Error: ${error.message}`, { cause: error })
  }
  return target
}

/**
 * `accounts migrate`: moves an account with its followers to another one, which must name it as an
 * alias; or repeats the last move. A job moves the followers.
 * @throws CliError
 */
export async function migrate(session: CliContext, username: string, options: MigrateOptions): Promise<void> {
  const { target, replay: replays = false, force = false } = options
  if (replays && target !== undefined) throw new CliError('Use --replay or --target, not both')
  if (!replays && target === undefined) throw new CliError('Use either --replay or --target')
  const services = await session.services()
  const account = await findLocal(services.database, username)
  if (!account) throw new CliError(`No such account: ${username}`)
  const moved =
    target === undefined ? await replay(services, account, force) : await moveTo(services, account, target, force)
  await logOperatorAction(services.database, 'migrate', { type: 'Account', id: account.id, name: account.username })
  session.print(`OK, migrated ${account.username} to ${moved}`)
}
