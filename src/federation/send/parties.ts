import type { Id } from '../../core/id.ts'
import { c, query, type Runner } from '../../platform/database/index.ts'
import { actorUri } from '../protocol/index.ts'

const find = query(
  'federation/send/party',
  { account: c.id },
  { id: c.id, local: c.boolean, uri: c.text, inbox_url: c.text },
)

/** One of the two sides of an activity. */
export interface Party {
  readonly id: Id
  readonly local: boolean
  readonly uri: string
  /** Empty for a local account. */
  readonly inbox: string
}

export async function findParty(runner: Runner, account: Id, publicUrl: string): Promise<Party | undefined> {
  const row = await runner.one(find, { account })
  if (!row) return undefined
  const { id, local } = row
  return { id, local, uri: local ? actorUri(publicUrl, id) : row.uri, inbox: row.inbox_url }
}
