import { c, query } from '../../platform/database/index.ts'
import type { Id } from '../../core/id.ts'
import { openProgress } from '../progress.ts'
import { CliError } from '../cli_error.ts'
import { logOperatorAction } from '../log_operator_action.ts'
import type { CliContext } from '../cli_context.ts'
import { bareName, findLocal, findTarget } from './user.ts'

const followSome = query(
  'cli/follow_all',
  { target: c.id, after: c.id },
  { last: c.nullable(c.id), followed: c.integer, events: c.events },
)
const unfollowSome = query('cli/unfollow_all', { target: c.id }, { unfollowed: c.integer, events: c.events })
/** `accounts follow`: makes every local account follow a local one. @throws CliError */
export async function followAll(session: CliContext, username: string): Promise<void> {
  const { database } = await session.services()
  const target = await findLocal(database, username)
  if (!target || target.suspended) throw new CliError('No such account')
  await logOperatorAction(database, 'follow_all', { type: 'Account', id: target.id, name: target.username })
  const progress = openProgress(session, 'accounts')
  let count = 0
  for (let after: Id | null = '0'; after !== null;) {
    const done: { last: Id | null; followed: number } | undefined = await database.one(followSome, {
      target: target.id,
      after,
    })
    count += done?.followed ?? 0
    progress.add(done?.followed ?? 0)
    after = done?.last ?? null
  }
  progress.end()
  session.print(`OK, followed target from ${count} accounts`)
}

/** `accounts unfollow`: makes all local accounts unfollow it. @throws CliError */
export async function unfollowAll(session: CliContext, acct: string): Promise<void> {
  const { database } = await session.services()
  const target = await findTarget(database, acct)
  await logOperatorAction(database, 'unfollow_all', { type: 'Account', id: target, name: bareName(acct) })
  const progress = openProgress(session, 'accounts')
  let count = 0
  for (let left = true; left;) {
    const done = await database.one(unfollowSome, { target })
    left = (done?.unfollowed ?? 0) > 0
    count += done?.unfollowed ?? 0
    progress.add(done?.unfollowed ?? 0)
  }
  progress.end()
  session.print(`OK, unfollowed target from ${count} accounts`)
}
