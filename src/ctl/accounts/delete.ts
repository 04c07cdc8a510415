import { c, query } from '../../database/index.ts'
import type { Services } from '../../services.ts'
import { Refusal } from '../refusal.ts'
import type { Session } from '../session.ts'
import { findUser, findUserByEmail, type LocalAccount } from './user.ts'

export interface DeleteOptions {
  email?: string
  dryRun?: boolean
}

const deleteStatuses = query(
  'ctl/delete_statuses',
  { account: c.id },
  { removed: c.integer, rows_removed: c.integer, events: c.events },
)
const deleteFavourites = query('ctl/delete_favourites', { account: c.id }, { removed: c.integer, events: c.events })
const deleteAccount = query(
  'ctl/delete_account',
  { account: c.id, frees_name: c.boolean },
  { files: c.texts, events: c.events },
)

/**
 * Removes an account's user and data, in short transactions, so that a running server's events are not held up. What is left when it is
 * broken off is whole, and a second run goes on. `freesName`: the account itself goes too, and anybody may take its name.
 */
export async function removeAccount(
  { database, storage }: Services,
  account: LocalAccount,
  { freesName }: { freesName: boolean },
): Promise<void> {
  for (let left = true; left;) left = ((await database.one(deleteStatuses, { account: account.id }))?.removed ?? 0) > 0
  for (let left = true; left;)
    left = ((await database.one(deleteFavourites, { account: account.id }))?.removed ?? 0) > 0
  const ended = await database.one(deleteAccount, { account: account.id, frees_name: freesName })
  for (const key of ended?.files ?? []) await storage.remove(key)
}

/** `accounts delete`: the username stays reserved, the address does not. @throws Refusal */
export async function deleteUser(
  session: Session,
  username: string | undefined,
  { email, dryRun }: DeleteOptions,
): Promise<void> {
  if (username !== undefined && email !== undefined) throw new Refusal('Use username or --email, not both')
  if (username === undefined && email === undefined) throw new Refusal('No username provided')
  const services = await session.services()
  const user =
    username === undefined
      ? await findUserByEmail(services.database, email ?? '')
      : await findUser(services.database, username)
  const dry = dryRun ? ' (DRY RUN)' : ''
  session.say(`Deleting user with ${user.statuses_count} statuses, this might take a while...${dry}`)
  if (!dryRun) await removeAccount(services, user, { freesName: false })
  session.say(`OK${dry}`)
}
