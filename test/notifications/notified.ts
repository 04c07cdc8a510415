import { sql, waitForEventLog, type Person } from '../support/people.ts'
import type { ServerAddress } from '../support/server.ts'

export interface Notification {
  id: string
  type: string
  group_key: string
  account: { id: string; username: string }
  status?: { id: string; content: string }
  filtered?: boolean
}

/** A person's notifications, the newest first. */
export async function notified(person: Person, query: Record<string, string | string[]> = {}): Promise<Notification[]> {
  const response = await person.get('/api/v1/notifications', query)
  if (response.status !== 200) throw new Error(`notifications: ${response.status} ${response.text}`)
  return response.json as Notification[]
}

/** Types and names of who caused them, such as `favourite by bob`, the newest first. */
export const notificationsOf = async (
  person: Person,
  query: Record<string, string | string[]> = {},
): Promise<string[]> =>
  (await notified(person, query)).map(
    ({ type, account }) => `${type} by ${account.username.replace(/_[0-9a-f]{8}$/, '')}`,
  )

/**
 * Suspends an account with the event that moderators cause, and waits until the server has read it.
 */
export async function suspend(server: ServerAddress, account: string, witness: Person): Promise<void> {
  await sql(
    server,
    `with gone as (update accounts set suspended_at = now() where id = $1 returning id)
     insert into events (kind, account_id, data)
     select 'account.changed', gone.id, '{"change": "suspended"}' from gone`,
    [account],
  )
  await waitForEventLog(witness)
}
