import { c, query } from '../../platform/database/index.ts'
import type { Services } from '../../platform/services.ts'
import { lockPollOf } from '../../statuses/polls/index.ts'
import { fetchObject, readBearcap } from '../fetch/index.ts'
import { idOf, isObject, sameHost, textOf, typesOf, type JsonObject } from '../protocol/index.ts'
import { enqueueReplies } from './fetch_embedded_replies.ts'
import { readNote } from './note.ts'
import { inReceipt, type Receiving } from './receiving.ts'
import { knownStatus } from './references.ts'
import { takeNote } from './take_note.ts'

const findLocalFollower = query('federation/receive/local_follower', { account: c.id }, { id: c.id })
const storeVote = query('federation/receive/vote', { voter: c.id, status: c.id, option: c.text }, { events: c.events })

/**
 * What an activity is about, fetched from the actor's own host when it is only named: for whom it
 * was delivered to, or a follower from here, since it may be for followers alone.
 */
export async function objectOf(services: Services, receiving: Receiving): Promise<JsonObject | undefined> {
  const { activity, actorUri, author, recipient } = receiving
  const given = activity['object']
  if (isObject(given)) return given
  const { url, token } = readBearcap(idOf(given) ?? '')
  if (!sameHost(url, actorUri)) return undefined
  const signer = recipient ?? (await services.database.one(findLocalFollower, { account: author.id }))?.id
  return fetchObject(services, url, { signer, token })
}

/** A vote names an option and answers a local poll; it has no text of its own. */
async function takeVote(services: Services, { author }: Receiving, object: JsonObject): Promise<boolean> {
  const option = textOf(object['name'])
  const isVote = option !== undefined && typesOf(object).includes('Note') && typeof object['content'] !== 'string'
  if (!isVote) return false
  const asked = await knownStatus(services, services.database, idOf(object['inReplyTo']))
  if (!asked?.local) return false
  await inReceipt(services, async transaction => {
    await lockPollOf(transaction, asked.id)
    await transaction.run(storeVote, { voter: author.id, status: asked.id, option })
  })
  return true
}

/** Create: a new status, or a vote in a local poll. */
export async function receiveCreate(services: Services, receiving: Receiving): Promise<void> {
  const object = await objectOf(services, receiving)
  if (!object || (await takeVote(services, receiving, object))) return
  const { author, recipient, fetched, deliveredBy, prefetched } = receiving
  const note = await readNote(object, author)
  if (!note) return
  const taken = await takeNote(services, author, note, { recipient, fetched, deliveredBy, prefetched })
  if (taken !== undefined) await enqueueReplies(services, note)
}
