import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Test } from 'tap'
import type { Client, ClientResponse } from '../support/client.ts'
import { people, person, sql, waitForEventLog, type Person } from '../support/people.ts'
import type { TestServer } from '../support/server.ts'

/** Who takes part: the target of the action, and others by their relation to it. */
export interface Cast {
  readonly server: TestServer
  readonly moderator: Person
  readonly target: Person
  /** Follows the target, and is followed by it. */
  readonly friend: Person
  /** Has nothing to do with it, except that it reads. */
  readonly stranger: Person
  /** Mutes the target, which has asked to follow it. */
  readonly hermit: Person
  /** Blocks the target. */
  readonly foe: Person
  readonly anonymous: Client
  readonly status: string
  readonly poll: string
  /** A status of the friend that the target has favourited, boosted and answered. */
  readonly theirs: string
  /** The friend's boost of the target's status, and its quote of it. */
  readonly boost: string
  readonly quote: string
  readonly list: string
  readonly tag: string
  /** A page that the target's status shows; it trends, as the status does. */
  readonly url: string
  readonly word: string
}

async function made(response: Promise<ClientResponse>): Promise<{ id: string; poll?: { id: string } }> {
  const { status, json, text } = await response
  if (status !== 200) throw new Error(`${status} ${text}`)
  return json as { id: string; poll?: { id: string } }
}

/** Lets a status trend, with the link that it shows and its hashtag. */
const letTrend = (server: TestServer, status: string, url: string): Promise<unknown> =>
  sql(
    server,
    `with card as (
       insert into preview_cards (url, type, title, trendable) values ($2, 'link', 'News', true) returning id
     ), used as (
       update tags set trendable = true where id in (select x.tag_id from status_tags x where x.status_id = $1) returning id
     ), rising_tags as (
       insert into tag_trends (tag_id, peak, peaked_at, score) select used.id, 100, now(), 100 from used
     ), shown as (
       insert into preview_cards_statuses (status_id, preview_card_id, url) select $1, card.id, $2 from card
     ), rising as (
       insert into link_trends (preview_card_id, peak, peaked_at, score) select card.id, 100, now(), 100 from card
     ), told as (
       insert into events (kind) values ('trends.changed')
     ), allowed as (
       update statuses set trendable = true where id = $1
     )
     insert into status_trends (status_id, score) values ($1, 100)`,
    [status, url],
  )

/** Counts the uses of links again, as the job of every night does. */
export async function recountLinks({ server }: Pick<Cast, 'server'>): Promise<void> {
  const count = readFileSync(new URL('../../sql/queries/timelines/trends/count_links.sql', import.meta.url), 'utf8')
  await sql(server, count, [7, true])
}

/** Creates the cast with a status, a poll, and relations of every kind. */
export async function createCast(t: Test): Promise<Cast> {
  const { server, anonymous, ...named } = await people(t, 'target', 'friend', 'stranger', 'hermit', 'foe')
  const { target, friend, stranger, hermit, foe } = named
  const moderator = await person(server, 'moderator', { roleId: 3 })
  t.after(() => moderator.close())
  const word = `word${randomBytes(5).toString('hex')}`
  const tag = `tag${randomBytes(5).toString('hex')}`
  await sql(server, 'update accounts set discoverable = true, indexable = true where id = $1', [target.id])
  await friend.follow(target)
  await target.follow(friend)
  await friend.follow(stranger)
  await sql(server, 'update accounts set locked = true where id = $1', [hermit.id])
  await target.follow(hermit)
  await made(hermit.post(`/api/v1/accounts/${target.id}/mute`))
  await made(foe.post(`/api/v1/accounts/${target.id}/block`))
  const { id: status } = await target.postStatus(`${word} #${tag}`, { language: 'en' })
  const url = `https://${word}.example/`
  await letTrend(server, status, url)
  await stranger.follow(friend)
  const withPoll = await made(
    target.post('/api/v1/statuses', { status: 'choose', poll: { options: ['a', 'b'], expires_in: 600 } }),
  )
  const { id: theirs } = await friend.postStatus('mine')
  await made(target.post(`/api/v1/statuses/${theirs}/favourite`))
  await made(target.post(`/api/v1/statuses/${theirs}/reblog`))
  await target.postStatus(`@${friend.username} an answer`, { in_reply_to_id: theirs })
  for (const action of ['favourite', 'bookmark']) await made(friend.post(`/api/v1/statuses/${status}/${action}`))
  const { id: boost } = await made(friend.post(`/api/v1/statuses/${status}/reblog`))
  const { id: quote } = await made(friend.post('/api/v1/statuses', { status: 'look', quoted_status_id: status }))
  const { id: list } = await made(friend.post('/api/v1/lists', { title: 'those' }))
  await friend.post(`/api/v1/lists/${list}/accounts`, { account_ids: [target.id] })
  await made(friend.post(`/api/v1/accounts/${target.id}/pin`))
  await made(target.post(`/api/v1/accounts/${friend.id}/pin`))
  await made(target.post('/api/v1/featured_tags', { name: tag }))
  const poll = withPoll.poll?.id ?? ''
  await waitForEventLog(moderator)
  return { ...named, server, anonymous, moderator, status, poll, theirs, boost, quote, list, tag, url, word }
}
