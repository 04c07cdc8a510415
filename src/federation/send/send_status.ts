import type { Id } from '../../core/id.ts'
import { c, query, type Row } from '../../platform/database/index.ts'
import { idIn, job, memberOf } from '../../platform/jobs/index.ts'
import type { Services } from '../../platform/services.ts'
import {
  activityObject,
  addressesOf,
  authorUri,
  findNotes,
  noteObject,
  serverUrls,
  statusUri,
} from '../documents/index.ts'
import { activityUri, actorUri, formatDateTime, ceilToSecond, noteUri, PUBLIC } from '../protocol/index.ts'
import { sendActivity } from './send_activity.ts'
import { findSentStatus } from './sent_status.ts'

const findInboxes = query('federation/send/status_inboxes', { status: c.id }, { inbox: c.text })

type Sent = Row<typeof findSentStatus.columns>

const KINDS = ['status.created', 'status.updated', 'status.deleted'] as const
type Kind = (typeof KINDS)[number]

const kindIn = (payload: unknown): Kind => {
  const kind = KINDS.find(one => one === memberOf(payload, 'kind'))
  if (kind === undefined) throw new Error('the payload has no kind')
  return kind
}

/** A change of a status that federate_statuses.sql enqueued. */
interface Change {
  readonly kind: Kind
  readonly status: Id
  /** In seconds since the epoch. */
  readonly at: number
}

function parse(payload: unknown): Change {
  const at = memberOf(payload, 'at')
  return { kind: kindIn(payload), status: idIn(payload, 'status'), at: typeof at === 'number' ? at : Date.now() / 1000 }
}

/**
 * The time of an Update: that of the edit, or of another change such as a quote's authorization.
 */
function updateTime(at: number, editedAt: Date | null): Date {
  const edited = editedAt && ceilToSecond(editedAt)
  return edited && edited.getTime() / 1000 > at - 2 ? edited : new Date(Math.floor(at) * 1000)
}

/** Create, Announce or Update; undefined when the status no longer exists. */
async function buildActivity(
  services: Services,
  { kind, status, at }: Change,
  sent: Sent,
): Promise<object | undefined> {
  const reader = { account: sent.account_id, host: null }
  const urls = serverUrls(services)
  const [row] = await findNotes(services, reader, [status])
  if (!row) return undefined
  if (kind === 'status.created') {
    const ownStatus =
      row.boosted?.account_id === row.account_id ? await findNotes(services, reader, [row.boosted.id]) : []
    return activityObject(row, urls, ownStatus[0])
  }
  const { publicUrl } = urls
  const edited = updateTime(at, row.edited_at)
  return {
    id: `${noteUri(publicUrl, row.account_id, status)}#updates/${edited.getTime() / 1000}`,
    type: 'Update',
    actor: actorUri(publicUrl, row.account_id),
    published: formatDateTime(edited),
    ...addressesOf(row, row.mentions ?? [], [], publicUrl),
    object: noteObject(row, urls),
  }
}

/** Delete, or Undo for a boost. */
function buildRemoval({ config: { publicUrl } }: Services, status: Id, sent: Sent): object {
  const { account_id: author, boosted } = sent
  const actor = actorUri(publicUrl, author)
  if (boosted === null) {
    const id = noteUri(publicUrl, author, status)
    return { id: `${id}#delete`, type: 'Delete', actor, to: [PUBLIC], object: { id, type: 'Tombstone', atomUri: id } }
  }
  const addresses = addressesOf(sent, [], [authorUri(boosted, publicUrl)], publicUrl)
  const announce = {
    id: activityUri(publicUrl, author, status),
    type: 'Announce',
    actor,
    published: formatDateTime(sent.created_at),
    ...addresses,
    object: statusUri(boosted, publicUrl),
  }
  return { id: `${actor}#announces/${status}/undo`, type: 'Undo', actor, ...addresses, object: announce }
}

/** Sends the activity of a local status or boost that was posted, edited or deleted. */
export const sendStatus = job('federation.send_status', parse, async (change, services: Services) => {
  const { kind, status } = change
  const { database, config } = services
  const sent = await database.one(findSentStatus, { status })
  // If the status was deleted since, it was never sent, or another job sends its Delete.
  if (!sent || (sent.deleted && kind !== 'status.deleted')) return
  const inboxes = (await database.run(findInboxes, { status })).map(({ inbox }) => inbox)
  if (inboxes.length === 0) return
  const activity =
    kind === 'status.deleted' ? buildRemoval(services, status, sent) : await buildActivity(services, change, sent)
  if (!activity) return
  const object = noteUri(config.publicUrl, sent.account_id, status)
  await sendActivity(database, { sender: sent.account_id, object, activity, inboxes })
})
