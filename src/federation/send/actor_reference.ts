import type { Id } from '../../core/id.ts'
import { c, query, type Runner } from '../../platform/database/index.ts'
import { actorUri } from '../protocol/index.ts'

const find = query(
  'federation/send/actor_reference',
  { account: c.id },
  { id: c.id, local: c.boolean, uri: c.text, inbox_url: c.text },
)

/** The identity of an account in activities. */
export interface ActorReference {
  readonly id: Id
  readonly local: boolean
  readonly uri: string
  /** Empty for a local account. */
  readonly inbox: string
}

export async function findActorReference(
  runner: Runner,
  account: Id,
  publicUrl: string,
): Promise<ActorReference | undefined> {
  const row = await runner.one(find, { account })
  if (!row) return undefined
  const { id, local } = row
  return { id, local, uri: local ? actorUri(publicUrl, id) : row.uri, inbox: row.inbox_url }
}
