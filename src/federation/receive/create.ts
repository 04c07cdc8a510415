import { c, query } from '../../platform/database/index.ts'
import type { Services } from '../../platform/services.ts'
import { lockPollOf } from '../../statuses/polls/index.ts'
import { fetchObject, readBearcap } from '../fetch/index.ts'
import { idOf, isObject, sameHost, textOf, typesOf, type JsonObject } from '../protocol/index.ts'
import { enqueueReplies } from './fetch_embedded_replies.ts'
import { readNote } from './note.ts'
import { receivingTransaction, type IncomingActivity } from './incoming_activity.ts'
import { findStatusByUri } from './find_by_uri.ts'
import { receiveNote } from './resolve_status.ts'

const findLocalFollower = query('federation/receive/local_follower', { account: c.id }, { id: c.id })
const storeVote = query(
  'federation/receive/vote',
  { voter: c.id, status: c.id, option: c.text },
  { is_option: c.boolean, events: c.events },
)

/**
 * The object of an activity. If only its id is given, it is fetched from the actor's host, signed
 * by the owner of the inbox or by a local follower, since it may be visible to followers only. An
 * embedded object without addressees has those of the activity.
 */
export async function resolveObject(services: Services, incoming: IncomingActivity): Promise<JsonObject | undefined> {
  const { activity, actorUri, author, recipient } = incoming
  const object = activity['object']
  if (isObject(object)) return { ...object, to: object['to'] ?? activity['to'], cc: object['cc'] ?? activity['cc'] }
  const { url, token } = readBearcap(idOf(object) ?? '')
  if (!sameHost(url, actorUri)) return undefined
  const signer = recipient ?? (await services.database.one(findLocalFollower, { account: author.id }))?.id
  return fetchObject(services, url, { signer, token })
}

/**
 * Stores a vote in a local poll: a Note with one of the options as its `name`. One without content
 * is never a status, even if the options have changed since.
 */
async function receiveVote(services: Services, { author }: IncomingActivity, object: JsonObject): Promise<boolean> {
  const option = textOf(object['name'])
  if (option === undefined || !typesOf(object).includes('Note')) return false
  const poll = await findStatusByUri(services, services.database, idOf(object['inReplyTo']))
  if (!poll?.local) return false
  const vote = await receivingTransaction(services, async transaction => {
    await lockPollOf(transaction, poll.id)
    return transaction.one(storeVote, { voter: author.id, status: poll.id, option })
  })
  return vote?.is_option === true || textOf(object['content']) === undefined
}

/** Create: a new status, or a vote in a local poll. */
export async function receiveCreate(services: Services, incoming: IncomingActivity): Promise<void> {
  const object = await resolveObject(services, incoming)
  if (!object || (await receiveVote(services, incoming, object))) return
  const { author, recipient, fetched, deliveredBy, prefetched } = incoming
  const note = await readNote(object, author)
  if (!note) return
  const stored = await receiveNote(services, author, note, { recipient, fetched, deliveredBy, prefetched })
  if (stored !== undefined) await enqueueReplies(services, note)
}
