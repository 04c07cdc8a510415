import { c, query } from '../../database/index.ts'
import type { Session } from '../session.ts'
import { findTarget } from './user.ts'

const suspendAccount = query('ctl/suspend', { account: c.id, suspended: c.boolean }, { events: c.events })

/** `accounts suspend` and `unsuspend`. Data are kept, so that it can be undone. @throws Refusal */
export async function suspend(session: Session, acct: string, suspended: boolean): Promise<void> {
  const { database } = await session.services()
  await database.run(suspendAccount, { account: await findTarget(database, acct), suspended })
  session.say('OK')
}
