import type { Id } from '../../core/id.ts'
import type { Services } from '../../platform/services.ts'
import { resolveByHandle } from '../index.ts'
import { findMigration, moveAccount } from './move.ts'
import { findLastMove, replayMove } from './replay.ts'

/** Why the staff cannot move an account. */
export type MoveObstacle = 'never_moved' | 'redirects_elsewhere' | 'unknown_target' | 'other_target'

/** The move is impossible, or needs `force`. */
export class MoveRefused extends Error {
  readonly obstacle: MoveObstacle

  constructor(obstacle: MoveObstacle) {
    super(obstacle)
    this.obstacle = obstacle
  }
}

export interface StaffMove {
  /** The handle of the other account; undefined repeats the last move. */
  readonly target?: string | undefined
  /** Although the account redirects to another one. */
  readonly force: boolean
}

const bare = (handle: string): string => handle.trim().replace(/^@/, '')

async function replay({ database }: Services, account: Id, force: boolean): Promise<string> {
  const last = await findLastMove(database, account)
  if (!last) throw new MoveRefused('never_moved')
  if (!last.is_current && !force) throw new MoveRefused('redirects_elsewhere')
  await replayMove(database, last.id)
  return bare(last.target)
}

async function moveTo(services: Services, account: Id, target: string, force: boolean): Promise<string> {
  const { database, config } = services
  if ((await resolveByHandle(services, target)) === undefined) throw new MoveRefused('unknown_target')
  const state = await findMigration(database, account)
  const redirected = state?.target_username ?? undefined
  const present = redirected && `${redirected}@${state?.target_domain ?? config.localDomain}`
  const wanted = target.includes('@') ? target : `${target}@${config.localDomain}`
  if (present !== undefined && present.toLowerCase() !== wanted.toLowerCase() && !force)
    throw new MoveRefused('other_target')
  await moveAccount(services, account, target)
  return target
}

/**
 * Moves an account with its followers to another one, which must name it as an alias, or repeats
 * the last move, on behalf of a user who cannot. A job moves the followers.
 * @returns the handle of the other account
 * @throws MoveRefused
 * @throws ApiError validation with details of `acct`
 */
export const moveForUser = (services: Services, account: Id, { target, force }: StaffMove): Promise<string> =>
  target === undefined ? replay(services, account, force) : moveTo(services, account, bare(target), force)
