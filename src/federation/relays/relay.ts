import { randomUUID } from 'node:crypto'
import type { Id } from '../../core/id.ts'
import { c, query, type Row, type Runner } from '../../platform/database/index.ts'
import type { Services } from '../../platform/services.ts'
import { mayRequest } from '../fetch/index.ts'
import { sendActivity } from '../send/index.ts'
import { hostOf, instanceActorUri, payloadUri, PUBLIC } from '../protocol/index.ts'
import { parseUrl } from '../../core/parse_url.ts'

const list = query(
  'federation/relays/list',
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
const FORMER_FOLLOW = { inbox_url: c.text, follow_uri: c.nullable(c.text) } as const
const disable = query('federation/relays/disable', { moderator: c.nullable(c.id), id: c.id }, FORMER_FOLLOW)
const remove = query('federation/relays/remove', { moderator: c.nullable(c.id), id: c.id }, FORMER_FOLLOW)

const MAX_URL_BYTES = 2048

/** Whether the relay is not followed, the Follow is pending, was accepted, or was rejected. */
export type RelayState = 'idle' | 'pending' | 'accepted' | 'rejected'

/** A stored relay. */
export type Relay = Row<typeof list.columns>

/** A page of the relays in the order of their inboxes, after the inbox `after`. */
export const listRelays = (
  runner: Runner,
  { after = '', limit }: { after?: string; limit: number },
): Promise<Relay[]> => runner.run(list, { after, limit })

const BATCH_SIZE = 500

/** All relays in the order of their inboxes. */
export async function listAllRelays(runner: Runner): Promise<Relay[]> {
  const relays: Relay[] = []
  for (;;) {
    const batch = await listRelays(runner, { after: relays.at(-1)?.inbox_url ?? '', limit: BATCH_SIZE })
    relays.push(...batch)
    if (batch.length < BATCH_SIZE) return relays
  }
}

/** The instance actor's Follow of a relay, which subscribes to its posts. */
const followActivity = (publicUrl: string, id: string): object => ({
  id,
  type: 'Follow',
  actor: instanceActorUri(publicUrl),
  object: PUBLIC,
})

const sendToRelay = (runner: Runner, publicUrl: string, inbox: string, activity: object): Promise<void> =>
  sendActivity(runner, { sender: null, object: `${instanceActorUri(publicUrl)} ${inbox}`, activity, inboxes: [inbox] })

/** Sends the Undo of the Follow of a relay, unless the relay has rejected it. */
async function sendUndo(
  runner: Runner,
  publicUrl: string,
  { inbox_url, follow_uri }: Row<typeof FORMER_FOLLOW>,
): Promise<void> {
  if (follow_uri === null) return
  const object = followActivity(publicUrl, follow_uri)
  const actor = instanceActorUri(publicUrl)
  const id = payloadUri(publicUrl, randomUUID())
  await sendToRelay(runner, publicUrl, inbox_url, { id, type: 'Undo', actor, object })
}

/** Why a relay could not be added. */
export type RelayError = 'invalid' | 'unreachable' | 'taken'

/**
 * Parses the URL of an inbox; undefined unless it is an http or https URL without a password.
 */
function parseInboxUrl(inboxUrl: string): string | undefined {
  const url = parseUrl(inboxUrl.trim())
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return undefined
  url.hash = ''
  return Buffer.byteLength(url.href) > MAX_URL_BYTES ? undefined : url.href
}

/**
 * Adds a relay and sends it a Follow.
 * @param moderator the acting moderator; null for the operator
 * @returns why it was not added; undefined after success
 */
export async function addRelay(
  services: Services,
  moderator: Id | null,
  inboxUrl: string,
): Promise<RelayError | undefined> {
  const { database, config } = services
  const inbox = parseInboxUrl(inboxUrl)
  const host = inbox === undefined ? undefined : hostOf(inbox)
  if (inbox === undefined || host === undefined) return 'invalid'
  if (!(await mayRequest(services, inbox))) return 'unreachable'
  const uri = payloadUri(config.publicUrl, randomUUID())
  return database.transaction(async transaction => {
    const added = await transaction.one(add, { moderator, inbox_url: inbox, host, follow_uri: uri })
    if (!added) return 'taken'
    await sendToRelay(transaction, config.publicUrl, inbox, followActivity(config.publicUrl, uri))
    return undefined
  })
}

/** Sends a Follow to an idle or rejected relay; false when there is no such relay. */
export async function enableRelay(
  { database, config: { publicUrl } }: Services,
  moderator: Id | null,
  id: Id,
): Promise<boolean> {
  const uri = payloadUri(publicUrl, randomUUID())
  return database.transaction(async transaction => {
    const enabled = await transaction.one(enable, { moderator, id, follow_uri: uri })
    if (enabled) await sendToRelay(transaction, publicUrl, enabled.inbox_url, followActivity(publicUrl, uri))
    return enabled !== undefined
  })
}

/** Unfollows a relay; false when it is idle or does not exist. */
export const disableRelay = ({ database, config }: Services, moderator: Id | null, id: Id): Promise<boolean> =>
  database.transaction(async transaction => {
    const ended = await transaction.one(disable, { moderator, id })
    if (ended) await sendUndo(transaction, config.publicUrl, ended)
    return ended !== undefined
  })

/** Unfollows and deletes a relay; false when there is no such relay. */
export const removeRelay = ({ database, config }: Services, moderator: Id | null, id: Id): Promise<boolean> =>
  database.transaction(async transaction => {
    const ended = await transaction.one(remove, { moderator, id })
    if (ended) await sendUndo(transaction, config.publicUrl, ended)
    return ended !== undefined
  })
