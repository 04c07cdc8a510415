import { randomBytes } from 'node:crypto'
import { seal } from '../../../src/auth/sessions/index.ts'
import { hashSecret } from '../../../src/core/secret.ts'
import { person, sql } from '../../support/person.ts'
import type { Ground } from './ground.ts'

/** People for whom staff or alice decide something; nobody signs in as them. */
const CROWD = `
  with given as (
    select kind || '_' || $1::text || n as username, kind
    from unnest(array['bystander', 'bystander', 'follower', 'follower', 'suspended', 'suspended', 'pending', 'pending'])
      with ordinality g(kind, n)
  ), a as (
    insert into accounts (username, display_name, discoverable, suspended_at)
    select username, kind, kind = 'bystander', case when kind = 'suspended' then now() end from given
    returning id, username, display_name as kind
  ), stats as (
    insert into account_stats (account_id) select id from a
  ), u as (
    insert into users (account_id, email, password_hash, confirmed_at, approved)
    select id, username || '@example.com', '-', now(), kind <> 'pending' from a
  ), r as (
    insert into follow_requests (account_id, target_account_id) select id, $2::bigint from a where kind = 'follower'
  )
  select id::text, kind from a`

const POOLS = { bystander: 'bystander', follower: 'follower', suspended: 'suspended', pending: 'pending' } as const
const isPool = (kind: unknown): kind is keyof typeof POOLS => typeof kind === 'string' && kind in POOLS

/**
 * What is in links of e-mails: the confirmation of a subscription to the owner's posts, and the end
 * of alice's e-mails about followers.
 */
async function sendLinks({ server, ids, alice, owner }: Ground, mark: string): Promise<void> {
  const tokens = [1, 2].map(number => `confirmation${mark}${number}`)
  const [row] = await sql(
    server,
    `with allowed as (
       update users set email_subscriptions = true where account_id = $1::bigint
     ), subscriptions as (
       insert into email_subscriptions (account_id, email, confirmation_token_hash, confirmation_sent_at)
       select $1::bigint, n || $2::text || '@example.com', hash, now() from unnest($3::bytea[]) with ordinality g(hash, n)
     )
     select value as secret from secrets where name = 'cookie_secret'`,
    [owner.id, mark, tokens.map(token => hashSecret(token))],
  )
  ids.put('newsletter', owner.id)
  for (const token of tokens) ids.put('confirmation', token)
  ids.put('unsubscribe', seal(String(row?.['secret']), 'unsubscribe:follow', alice.userId))
}

/** Somebody whom alice does not follow writes to her, which she has asked not to be told of. */
async function approach({ server, ids, alice }: Ground): Promise<void> {
  await alice.patch('/api/v2/notifications/policy', { for_not_following: 'filter' })
  for (const name of ['stranger', 'passer']) {
    const stranger = await person(server, name)
    await stranger.postStatus(`@${alice.username} psst`, { visibility: 'direct' })
  }
  await alice.patch('/api/v2/notifications/policy', { for_not_following: 'accept' })
  const rows = await sql(server, 'select id::text from notification_requests where account_id = $1', [alice.id])
  for (const { id } of rows) ids.put('request', String(id))
}

/** Adds people in all states, and what waits for a decision about them. */
export async function addPeople(ground: Ground): Promise<void> {
  const { server, ids, alice } = ground
  const mark = randomBytes(4).toString('hex')
  for (const { id, kind } of await sql(server, CROWD, [mark, alice.id])) if (isPool(kind)) ids.put(kind, String(id))
  for (const number of [1, 2, 3]) {
    ids.put('free_username', `new_${mark}${number}`)
    ids.put('free_email', `new_${mark}${number}@example.com`)
    ids.put('unconfirmed_email', `other_${mark}${number}@example.com`)
  }
  ids.put('account', alice.id)
  ids.put('acct', `${alice.username}@${new URL(server.url).host}`)
  ids.put('profile', `@${alice.username}`)
  await sendLinks(ground, mark)
  await approach(ground)
}
