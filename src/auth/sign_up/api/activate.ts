import { c, query, type Runner } from '../../../platform/database/index.ts'
import { ApiError } from '../../../core/errors.ts'
import type { Id } from '../../../core/id.ts'
import { enqueue, job } from '../../../platform/jobs/index.ts'
import { sendNotice } from '../../../platform/mail/messages/index.ts'
import type { Services } from '../../../platform/services.ts'
import { changePair, findByHandle, follow } from '../../../accounts/index.ts'
import { parseUser } from './confirmation.ts'

const findNewcomer = query(
  'auth/sign_up/confirmed_newcomer',
  { user: c.id },
  { account_id: c.id, inviter_id: c.nullable(c.id) },
)
const markWelcomed = query('auth/sign_up/mark_welcomed', { user: c.id }, { id: c.id })
const announceNewcomer = query('auth/sign_up/announce_newcomer', { user: c.id }, { events: c.events })

async function followOnBehalf(services: Services, newUser: Id, target: Id): Promise<void> {
  if (target === newUser) return
  try {
    await changePair(services.database, newUser, target, transaction =>
      follow(transaction, services.config, newUser, target),
    )
  } catch (error) {
    // A deleted, moved or blocking account is skipped.
    if (!(error instanceof ApiError) || error.code === 'unavailable') throw error
  }
}

/**
 * Makes a new user follow the accounts that the administrators and the invite chose, sends the
 * welcome e-mail and notifies the staff. Repeating it changes nothing.
 */
export const welcome = job<{ user: Id }, Services>('accounts.welcome', parseUser, async ({ user }, services) => {
  const newUser = await services.database.one(findNewcomer, { user })
  if (!newUser) return
  const targets = new Set<Id>(newUser.inviter_id === null ? [] : [newUser.inviter_id])
  for (const handle of services.settings.get('auto_follow_accounts')) {
    const id = await findByHandle(services, handle)
    if (id !== undefined) targets.add(id)
  }
  for (const target of targets) await followOnBehalf(services, newUser.account_id, target)
  await services.database.transaction(async transaction => {
    if (!(await transaction.one(markWelcomed, { user }))) return
    await transaction.run(announceNewcomer, { user })
    await sendNotice(transaction, user, 'welcome')
  })
})

/**
 * Enqueues the steps that follow confirmation and approval (follows, notification of the staff).
 * Call it in the transaction that confirms or approves a user; it does nothing until the user is
 * both.
 */
export const activateUser = (transaction: Runner, user: Id): Promise<void> => enqueue(transaction, welcome, { user })
