import { waitForAllEventLogs } from '../../support/processes.ts'
import { member, moveRows, moveStatuses, newestFirst, type MakeList, type Rows } from './rows.ts'
import { TIMELINES } from './timelines.ts'
import type { World } from './world.ts'

/** A list of accounts, each related to its owner by a row of a table. */
const related =
  (table: string, path: (owner: string) => string, owner = 'account_id', other = 'target_account_id'): MakeList =>
  async (world, amount) => {
    const client = await world.person()
    const ids = await world.accounts(amount)
    await world.database(`insert into ${table} (${owner}, ${other}) select $1, unnest($2::bigint[])`, [client.id, ids])
    const where = `${owner} = ${client.id}`
    return {
      client,
      path: path(client.id),
      keysIn: member('id'),
      ...moveRows(world.database, { table, column: other, ids: newestFirst(ids), where }),
    }
  }

/** Statuses that the reader has favourited or bookmarked. */
const savedStatuses =
  (table: string): MakeList =>
  async (world, amount) => {
    const [client, author] = [await world.person(), await world.person()]
    const ids = await world.statuses(author.id, amount)
    await world.database(`insert into ${table} (account_id, status_id) select $1, unnest($2::bigint[])`, [
      client.id,
      ids,
    ])
    const where = `account_id = ${client.id}`
    return {
      client,
      path: `/api/v1/${table}`,
      keysIn: member('id'),
      ...moveRows(world.database, { table, column: 'status_id', ids: newestFirst(ids), where }),
    }
  }

const listMembers: MakeList = async (world, amount) => {
  const client = await world.person()
  const ids = await world.accounts(amount)
  const [list] = await world.database(`insert into lists (account_id, title) values ($1, 'x') returning id::text`, [
    client.id,
  ])
  const id = String(list?.['id'])
  await world.database('insert into list_accounts (list_id, account_id) select $1, unnest($2::bigint[])', [id, ids])
  return {
    client,
    path: `/api/v1/lists/${id}/accounts`,
    keysIn: member('id'),
    ...moveRows(world.database, {
      table: 'list_accounts',
      column: 'account_id',
      ids: newestFirst(ids),
      where: `list_id = ${id}`,
    }),
  }
}

const domainBlocks: MakeList = async (world, amount) => {
  const client = await world.person()
  const domains = Array.from({ length: amount }, (_, index) => `d${index}.example`)
  await world.database('insert into account_domain_blocks (account_id, domain) select $1, unnest($2::text[])', [
    client.id,
    domains,
  ])
  return {
    client,
    path: '/api/v1/domain_blocks',
    keysIn: json => (Array.isArray(json) ? json.map(String) : []),
    ...moveRows(world.database, {
      table: 'account_domain_blocks',
      column: 'domain',
      ids: newestFirst(domains),
      where: `account_id = ${client.id}`,
    }),
  }
}

const followedTags: MakeList = async (world, amount) => {
  const client = await world.person()
  const made = await world.database(
    `insert into tags (name, display_name) select name, name from unnest($1::text[]) name returning id::text, name`,
    [Array.from({ length: amount }, (_, index) => `t${client.id}x${index}`)],
  )
  await world.database('insert into tag_follows (account_id, tag_id) select $1, unnest($2::bigint[])', [
    client.id,
    made.map(tag => tag['id']),
  ])
  const ids = new Map(made.toReversed().map(tag => [String(tag['name']), String(tag['id'])]))
  return {
    client,
    path: '/api/v1/followed_tags',
    keysIn: member('name'),
    ...moveRows(world.database, { table: 'tag_follows', column: 'tag_id', ids, where: `account_id = ${client.id}` }),
  }
}

/** Follows of the reader by different accounts, ungrouped or in one group. */
async function notify(world: World, reader: string, amount: number, grouped: boolean): Promise<Map<string, string>> {
  const made = await world.database(
    `insert into notifications (id, account_id, from_account_id, type, activity_id, group_key)
     overriding system value
     select given.id, $1, given.sender, 'follow', given.id, case when $3 then 'follow-1' else 'ungrouped-' || given.id end
     from (
       select nextval(pg_get_serial_sequence('notifications', 'id')) as id, sender from unnest($2::bigint[]) sender
     ) given
     returning id::text, from_account_id::text as sender`,
    [reader, await world.accounts(amount), grouped],
  )
  return new Map(made.toReversed().map(row => [String(grouped ? row['sender'] : row['id']), String(row['id'])]))
}

const notifications =
  (path: string, keysIn: Rows['keysIn'], grouped = false): MakeList =>
  async (world, amount) => {
    const client = await world.person()
    const ids = await notify(world, client.id, amount, grouped)
    const { keys, hide, show } = moveRows(world.database, { table: 'notifications', column: 'id', ids })
    // The server keeps pages in memory until an event concerns their reader.
    const log = async (change: 'dismissed' | 'restored'): Promise<void> => {
      await world.database(
        `insert into events (kind, account_id, data) values ('notifications.changed', $1, jsonb_build_object('change', $2::text))`,
        [client.id, change],
      )
      await waitForAllEventLogs(world.server.url)
    }
    return {
      client,
      path,
      keysIn,
      keys,
      hide: key => hide(key).then(() => log('dismissed')),
      show: key => show(key).then(() => log('restored')),
    }
  }

const aloneIn = (json: unknown): string[] =>
  member('group_key', 'notification_groups')(json).map(key => key.replace('ungrouped-', ''))

const requests: MakeList = async (world, amount) => {
  const client = await world.person()
  const made = await world.database(
    `insert into notification_requests (account_id, from_account_id, notifications_count)
     select $1, unnest($2::bigint[]), 1 returning id::text`,
    [client.id, await world.accounts(amount)],
  )
  return {
    client,
    path: '/api/v1/notifications/requests',
    keysIn: member('id'),
    ...moveRows(world.database, {
      table: 'notification_requests',
      column: 'id',
      ids: newestFirst(made.map(row => String(row['id']))),
    }),
  }
}

/** Direct statuses to the reader, with their conversations. */
async function whisper(world: World, reader: string, amount: number): Promise<{ statuses: string[]; talks: string[] }> {
  const author = await world.person()
  const statuses = await world.statuses(author.id, amount, 'direct')
  const made = await world.database(
    `with named as (
       insert into mentions (status_id, account_id) select unnest($3::bigint[]), $1
     ), opened as (
       insert into conversations (created_at) select now() from unnest($3::bigint[]) returning id
     ), pairs as (
       select o.id, s.status_id
       from (select id, row_number() over (order by id) as place from opened) o
       join unnest($3::bigint[]) with ordinality s (status_id, place) using (place)
     )
     insert into account_conversations (account_id, conversation_id, participant_account_ids, status_ids, last_status_id)
     select $1, pairs.id, array[$2::bigint], array[pairs.status_id], pairs.status_id from pairs order by pairs.status_id
     returning id::text`,
    [reader, author.id, statuses],
  )
  return { statuses, talks: made.map(row => String(row['id'])) }
}

const conversations: MakeList = async (world, amount) => {
  const client = await world.person()
  const { talks } = await whisper(world, client.id, amount)
  return {
    client,
    path: '/api/v1/conversations',
    keysIn: member('id'),
    ...moveRows(world.database, { table: 'account_conversations', column: 'id', ids: newestFirst(talks) }),
  }
}

const direct: MakeList = async (world, amount) => {
  const client = await world.person()
  const { statuses } = await whisper(world, client.id, amount)
  return {
    client,
    path: '/api/v1/timelines/direct',
    keysIn: member('id'),
    ...moveStatuses(world.database, newestFirst(statuses)),
  }
}

const scheduled: MakeList = async (world, amount) => {
  const client = await world.person()
  const ids: string[] = []
  for (let day = 1; day <= amount; day++) {
    const { id } = await client.postStatus('later', { scheduled_at: new Date(Date.now() + day * 86_400_000) })
    ids.push(id)
  }
  return {
    client,
    path: '/api/v1/scheduled_statuses',
    keysIn: member('id'),
    ...moveRows(world.database, { table: 'scheduled_statuses', column: 'id', ids: newestFirst(ids) }),
  }
}

const favouritedBy: MakeList = async (world, amount) => {
  const client = await world.person()
  const ids = await world.accounts(amount)
  const [status = ''] = await world.statuses(client.id, 1)
  await world.database('insert into favourites (status_id, account_id) select $1, unnest($2::bigint[])', [status, ids])
  return {
    client,
    path: `/api/v1/statuses/${status}/favourited_by`,
    keysIn: member('id'),
    ...moveRows(world.database, {
      table: 'favourites',
      column: 'account_id',
      ids: newestFirst(ids),
      where: `status_id = ${status}`,
    }),
  }
}

const rebloggedBy: MakeList = async (world, amount) => {
  const client = await world.person()
  const [status = ''] = await world.statuses(client.id, 1)
  const boosts = await world.database(
    `insert into statuses (account_id, visibility, reblog_of_id)
     select unnest($2::bigint[]), 'unlisted', $1 returning id::text, account_id::text as account`,
    [status, await world.accounts(amount)],
  )
  const ids = new Map(boosts.toReversed().map(boost => [String(boost['account']), String(boost['id'])]))
  return {
    client,
    path: `/api/v1/statuses/${status}/reblogged_by`,
    keysIn: member('id'),
    ...moveStatuses(world.database, ids),
  }
}

const quotes: MakeList = async (world, amount) => {
  const [client, author] = [await world.person(), await world.person()]
  const [status = ''] = await world.statuses(client.id, 1)
  const ids = await world.statuses(author.id, amount)
  await world.database(
    `insert into quotes (status_id, account_id, quoted_status_id, quoted_account_id, state)
     select unnest($4::bigint[]), $3, $1, $2, 'accepted'`,
    [status, client.id, author.id, ids],
  )
  return {
    client,
    path: `/api/v1/statuses/${status}/quotes`,
    keysIn: member('id'),
    ...moveRows(world.database, { table: 'quotes', column: 'status_id', ids: newestFirst(ids) }),
  }
}

const accountStatuses: MakeList = async (world, amount) => {
  const [client, author] = [await world.person(), await world.person()]
  const ids = await world.statuses(author.id, amount)
  return {
    client,
    path: `/api/v1/accounts/${author.id}/statuses`,
    keysIn: member('id'),
    ...moveStatuses(world.database, newestFirst(ids)),
  }
}

const ofAccount = (what: string) => (account: string) => `/api/v1/accounts/${account}/${what}`
const at = (path: string) => () => path

/**
 * Creates each list that pages by ids, by the path of its operation, with a variant after a comma.
 */
export const LISTS: Readonly<Record<string, MakeList>> = {
  '/api/v1/accounts/:id/statuses': accountStatuses,
  '/api/v1/accounts/:id/followers': related('follows', ofAccount('followers'), 'target_account_id', 'account_id'),
  '/api/v1/accounts/:id/following': related('follows', ofAccount('following')),
  '/api/v1/accounts/:id/endorsements': related('endorsements', ofAccount('endorsements')),
  '/api/v1/endorsements': related('endorsements', at('/api/v1/endorsements')),
  '/api/v1/blocks': related('blocks', at('/api/v1/blocks')),
  '/api/v1/mutes': related('mutes', at('/api/v1/mutes')),
  '/api/v1/follow_requests': related(
    'follow_requests',
    at('/api/v1/follow_requests'),
    'target_account_id',
    'account_id',
  ),
  '/api/v1/lists/:id/accounts': listMembers,
  '/api/v1/domain_blocks': domainBlocks,
  '/api/v1/followed_tags': followedTags,
  '/api/v1/favourites': savedStatuses('favourites'),
  '/api/v1/bookmarks': savedStatuses('bookmarks'),
  '/api/v1/conversations': conversations,
  '/api/v1/notifications': notifications('/api/v1/notifications', member('id')),
  '/api/v2/notifications': notifications('/api/v2/notifications', aloneIn),
  '/api/v2/notifications/:group_key/accounts': notifications(
    '/api/v2/notifications/follow-1/accounts',
    member('id'),
    true,
  ),
  '/api/v1/notifications/requests': requests,
  '/api/v1/scheduled_statuses': scheduled,
  '/api/v1/statuses/:id/favourited_by': favouritedBy,
  '/api/v1/statuses/:id/reblogged_by': rebloggedBy,
  '/api/v1/statuses/:id/quotes': quotes,
  '/api/v1/timelines/direct': direct,
  ...TIMELINES,
}
