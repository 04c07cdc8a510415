import type { Id } from '../../core/id.ts'
import { c, query, type Database, type Row, type Runner } from '../../platform/database/index.ts'
import { enqueue } from '../../platform/jobs/index.ts'
import type { Services } from '../../platform/services.ts'
import { refreshRemoteAccount, resolveByHandle, ValidationErrors } from '../index.ts'
import { moveFollowers } from './move_followers.ts'

const STATE = {
  usable: c.boolean,
  target_username: c.nullable(c.text),
  target_domain: c.nullable(c.text),
  moved_at: c.nullable(c.timestamp),
} as const
const findState = query('accounts/migration/state', { account: c.id }, STATE)
const lock = query('accounts/migration/lock', { account: c.id }, { id: c.id })
const findTarget = query(
  'accounts/migration/target',
  { account: c.id, target: c.id, uri: c.text },
  { linked: c.boolean, moved: c.boolean },
)
const move = query(
  'accounts/migration/move',
  { account: c.id, target: c.id, with_followers: c.boolean },
  { migration: c.nullable(c.id), events: c.events },
)
const undo = query('accounts/migration/undo', { account: c.id }, { id: c.id, events: c.events })

/** How long an account must wait between two moves with followers. */
const COOLDOWN_MS = 30 * 86_400_000

/** Where an account has moved, and whether its user may move it; undefined unless it is local. */
export const findMigration = (runner: Runner, account: Id): Promise<Row<typeof STATE> | undefined> =>
  runner.one(findState, { account })

/** When the account may next be moved with its followers; undefined: now. */
const movableFrom = (movedAt: Date | null | undefined): Date | undefined => {
  const end = movedAt ? new Date(movedAt.getTime() + COOLDOWN_MS) : undefined
  return end && end.getTime() > Date.now() ? end : undefined
}

async function checkTarget(
  services: Services,
  account: Id,
  handle: string,
  mustBeLinked: boolean,
  errors: ValidationErrors,
): Promise<Id | undefined> {
  const id = await resolveByHandle(services, handle)
  if (id !== undefined) await refreshRemoteAccount(services, id)
  const uri = `${services.config.publicUrl}/ap/users/${account}`
  const target = id === undefined ? undefined : await services.database.one(findTarget, { account, target: id, uri })
  if (!target) errors.add('acct', 'Account', 'ERR_UNKNOWN', 'is not known')
  else if (id === account) errors.add('acct', 'Account', 'ERR_SELF', 'is this account itself')
  else if (target.moved) errors.add('acct', 'Account', 'ERR_MOVED', 'has moved itself')
  else if (mustBeLinked && !target.linked)
    errors.add('acct', 'Account', 'ERR_MISSING_ALIAS', 'does not name this account as an alias')
  return id
}

/** Locks the owner; whether the session that asks for a move has not ended meanwhile. */
type Hold = (transaction: Runner) => Promise<boolean>

const always: Hold = () => Promise.resolve(true)

/** Redirects an account to another one, and enqueues the move of its local followers. */
export async function recordMove(transaction: Runner, account: Id, target: Id): Promise<void> {
  const done = await transaction.one(move, { account, target, with_followers: true })
  if (done?.migration) await enqueue(transaction, moveFollowers, { migration: done.migration })
}

/**
 * Moves an account to another one, which must name it as an alias. A job moves the local followers.
 * @returns false if the session that asks for it was ended meanwhile, as by a reset of the password
 * @throws ApiError validation with details of `acct`
 */
export async function moveAccount(services: Services, account: Id, handle: string, hold = always): Promise<boolean> {
  const errors = new ValidationErrors()
  const target = await checkTarget(services, account, handle, true, errors)
  await checkWait(services.database, account, errors)
  errors.throwIfAny()
  if (target === undefined) return true
  return services.database.transaction(async transaction => {
    if (!(await hold(transaction))) return false
    await transaction.one(lock, { account })
    // Another move may have been recorded meanwhile.
    await checkWait(transaction, account, errors)
    errors.throwIfAny()
    await recordMove(transaction, account, target)
    return true
  })
}

async function checkWait(runner: Runner, account: Id, errors: ValidationErrors): Promise<void> {
  const until = movableFrom((await findMigration(runner, account))?.moved_at)
  if (until) errors.add('acct', 'Account', 'ERR_TOO_EARLY', `can be moved again on ${until.toISOString().slice(0, 10)}`)
}

/**
 * Redirects visitors of an account to another one, without moving followers.
 * @returns false if the session that asks for it was ended meanwhile
 * @throws ApiError validation with details of `acct`
 */
export async function redirectAccount(services: Services, account: Id, handle: string, hold: Hold): Promise<boolean> {
  const errors = new ValidationErrors()
  const target = await checkTarget(services, account, handle, false, errors)
  errors.throwIfAny()
  if (target === undefined) return true
  return services.database.transaction(async transaction => {
    if (!(await hold(transaction))) return false
    await transaction.run(move, { account, target, with_followers: false })
    return true
  })
}

/** Ends the redirection; followers that were moved stay with the other account. */
export const undoRedirect = async (database: Database, account: Id): Promise<boolean> =>
  (await database.one(undo, { account })) !== undefined
