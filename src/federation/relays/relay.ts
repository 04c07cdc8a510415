import { randomUUID } from 'node:crypto'
import type { Id } from '../../core/id.ts'
import { c, query, type Row, type Runner } from '../../platform/database/index.ts'
import type { Services } from '../../platform/services.ts'
import { isReachable } from '../fetch/index.ts'
import { sendActivity } from '../send/index.ts'
import { hostOf, instanceActorUri, payloadUri, PUBLIC } from '../protocol/index.ts'

const findAll = query(
  'federation/relays/all',
  { after: c.text, limit: c.integer },
  { id: c.id, inbox_url: c.text, state: c.text, changed_at: c.timestamp },
)
const add = query(
  'federation/relays/add',
  { moderator: c.nullable(c.id), inbox_url: c.text, host: c.text, follow_uri: c.text },
  { id: c.id },
)
const enable = query(
  'federation/relays/enable',
  { moderator: c.nullable(c.id), id: c.id, follow_uri: c.text },
  { inbox_url: c.text },
)
const ENDED = { inbox_url: c.text, follow_uri: c.nullable(c.text) } as const
const disable = query('federation/relays/disable', { moderator: c.nullable(c.id), id: c.id }, ENDED)
const remove = query('federation/relays/remove', { moderator: c.nullable(c.id), id: c.id }, ENDED)

const MAX_URL_BYTES = 2048

/** Not followed, asked, followed, or refused by the relay. */
export type RelayState = 'idle' | 'pending' | 'accepted' | 'rejected'

/** A server that passes public posts on. */
export type Relay = Row<typeof findAll.columns>

/** Relays by their inboxes after `after`. */
export const listRelays = (
  runner: Runner,
  { after = '', limit }: { after?: string; limit: number },
): Promise<Relay[]> => runner.run(findAll, { after, limit })

const PORTION = 500

/** All relays, by their inboxes. */
export async function allRelays(runner: Runner): Promise<Relay[]> {
  const found: Relay[] = []
  for (;;) {
    const part = await listRelays(runner, { after: found.at(-1)?.inbox_url ?? '', limit: PORTION })
    found.push(...part)
    if (part.length < PORTION) return found
  }
}

/** The Follow that asks a relay for its posts, in the name of this server. */
const followOf = (publicUrl: string, id: string): object => ({
  id,
  type: 'Follow',
  actor: instanceActorUri(publicUrl),
  object: PUBLIC,
})

const send = (runner: Runner, publicUrl: string, inbox: string, activity: object): Promise<void> =>
  sendActivity(runner, { sender: null, object: `${instanceActorUri(publicUrl)} ${inbox}`, activity, inboxes: [inbox] })

/** Takes back the Follow of a relay, if it was not refused. */
async function undo(runner: Runner, publicUrl: string, { inbox_url, follow_uri }: Row<typeof ENDED>): Promise<void> {
  if (follow_uri === null) return
  const object = followOf(publicUrl, follow_uri)
  const actor = instanceActorUri(publicUrl)
  const id = payloadUri(publicUrl, randomUUID())
  await send(runner, publicUrl, inbox_url, { id, type: 'Undo', actor, object })
}

/** The reasons for which a relay is not added. */
export type RelayFault = 'invalid' | 'unreachable' | 'taken'

/**
 * The URL of an inbox as it is stored; undefined unless it is one of http or https without a
 * password.
 */
function inboxOf(given: string): string | undefined {
  const url = URL.canParse(given.trim()) ? new URL(given.trim()) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return undefined
  url.hash = ''
  return Buffer.byteLength(url.href) > MAX_URL_BYTES ? undefined : url.href
}

/**
 * Adds a relay and asks it for its posts.
 * @param moderator who does it; null: the operator
 * @returns why it was not added
 */
export async function addRelay(
  services: Services,
  moderator: Id | null,
  given: string,
): Promise<RelayFault | undefined> {
  const { database, config } = services
  const inbox = inboxOf(given)
  const host = inbox === undefined ? undefined : hostOf(inbox)
  if (inbox === undefined || host === undefined) return 'invalid'
  if (!(await isReachable(services, inbox))) return 'unreachable'
  const uri = payloadUri(config.publicUrl, randomUUID())
  return database.transaction(async transaction => {
    const added = await transaction.one(add, { moderator, inbox_url: inbox, host, follow_uri: uri })
    if (!added) return 'taken'
    await send(transaction, config.publicUrl, inbox, followOf(config.publicUrl, uri))
    return undefined
  })
}

/** Sends a Follow to a relay that is idle or has refused; false when there is no such relay. */
export async function enableRelay(
  { database, config: { publicUrl } }: Services,
  moderator: Id | null,
  id: Id,
): Promise<boolean> {
  const uri = payloadUri(publicUrl, randomUUID())
  return database.transaction(async transaction => {
    const enabled = await transaction.one(enable, { moderator, id, follow_uri: uri })
    if (enabled) await send(transaction, publicUrl, enabled.inbox_url, followOf(publicUrl, uri))
    return enabled !== undefined
  })
}

/** Ends the exchange with a relay; false when it is idle or does not exist. */
export const disableRelay = ({ database, config }: Services, moderator: Id | null, id: Id): Promise<boolean> =>
  database.transaction(async transaction => {
    const ended = await transaction.one(disable, { moderator, id })
    if (ended) await undo(transaction, config.publicUrl, ended)
    return ended !== undefined
  })

/** Deletes a relay; false when there is no such relay. */
export const removeRelay = ({ database, config }: Services, moderator: Id | null, id: Id): Promise<boolean> =>
  database.transaction(async transaction => {
    const ended = await transaction.one(remove, { moderator, id })
    if (ended) await undo(transaction, config.publicUrl, ended)
    return ended !== undefined
  })
