import { waitForAllEventLogs } from '../../support/processes.ts'
import { member, moveStatuses, newestFirst, type MakeList, type Moves } from './rows.ts'
import type { World } from './world.ts'

/** Every second status gets a picture and is a row of the list; the others have to be skipped. */
const withPictures = (world: World, ids: readonly string[]): Promise<unknown> =>
  world.database(`update statuses set media_attachment_ids = '{1}' where id = any ($1)`, [ids])

/** Removes and restores rows with an edit each, because the server caches public pages. */
async function moveHeard(world: World, ids: readonly string[]): Promise<Moves> {
  const editor = await world.person()
  const { id } = await editor.postStatus('first', { visibility: 'unlisted' })
  const { keys, hide, show } = moveStatuses(world.database, newestFirst(ids))
  let edits = 0
  const tell = async (): Promise<void> => {
    await editor.put(`/api/v1/statuses/${id}`, { status: `edit ${edits++}` })
  }
  await tell()
  return { keys, hide: key => hide(key).then(tell), show: key => show(key).then(tell) }
}

const everySecond = (ids: readonly string[]): string[] => ids.filter((_, index) => index % 2 === 0)

/** @param query parameters besides those of the page */
const publicTimeline =
  (query: string): MakeList =>
  async (world, amount) => {
    const [client, author] = [await world.person(), await world.person()]
    await world.database(`update statuses set visibility = 'unlisted' where visibility = 'public'`)
    const media = query.includes('only_media')
    const all = await world.statuses(author.id, media ? amount * 2 : amount, 'public')
    const ids = media ? everySecond(all) : all
    if (media) await withPictures(world, ids)
    if (query.includes('remote')) await world.database('update statuses set local = false where id = any ($1)', [ids])
    return {
      client,
      path: `/api/v1/timelines/public${query}`,
      keysIn: member('id'),
      ...(await moveHeard(world, ids)),
    }
  }

async function tagged(world: World, name: string, ids: readonly string[]): Promise<void> {
  await world.database(
    `with tag as (insert into tags (name, display_name) values ($1, $1) returning id)
     insert into status_tags (tag_id, status_id) select tag.id, unnest($2::bigint[]) from tag`,
    [name, ids],
  )
}

/** Twice as many statuses, all with one tag and every second with another. */
const tagTimeline =
  (what: 'plain' | 'any' | 'all' | 'none' | 'only_media'): MakeList =>
  async (world, amount) => {
    const [client, author] = [await world.person(), await world.person()]
    const all = await world.statuses(author.id, amount * 2, 'public')
    const half = everySecond(all)
    const rest = all.filter(id => !half.includes(id))
    const [whole, second] = [`tag${client.id}`, `other${client.id}`]
    await tagged(world, whole, all)
    await tagged(world, second, half)
    if (what === 'only_media') await withPictures(world, half)
    const asked = {
      plain: { path: second, ids: half },
      any: { path: second, again: `any[]=${whole}`, ids: all },
      all: { path: whole, again: `all[]=${second}`, ids: half },
      none: { path: whole, again: `none[]=${second}`, ids: rest },
      only_media: { path: `${whole}?only_media=true`, ids: half },
    }[what]
    return {
      client,
      path: `/api/v1/timelines/tag/${asked.path}`,
      ...('again' in asked ? { again: asked.again } : {}),
      keysIn: member('id'),
      ...(await moveHeard(world, asked.ids.slice(-amount))),
    }
  }

const linkTimeline: MakeList = async (world, amount) => {
  const [client, author] = [await world.person(), await world.person()]
  await world.database('update accounts set discoverable = true where id = $1', [author.id])
  const ids = await world.statuses(author.id, amount, 'public')
  const url = `https://news.example/${client.id}`
  await world.database(
    `with card as (
       insert into preview_cards (url, type, title, trendable) values ($1, 'link', 'News', true) returning id
     ), trend as (
       insert into link_trends (preview_card_id, peak, peaked_at, score) select card.id, 9, now(), 9 from card
     )
     insert into preview_cards_statuses (status_id, preview_card_id, url) select unnest($2::bigint[]), card.id, $1 from card`,
    [url, ids],
  )
  return {
    client,
    path: `/api/v1/timelines/link?url=${encodeURIComponent(url)}`,
    keysIn: member('id'),
    ...moveStatuses(world.database, newestFirst(ids)),
  }
}

/**
 * Feeds and the newest statuses are in memory, so rows change through the API once a feed was read.
 */
const feed =
  (open: (world: World, reader: string, author: string) => Promise<string>): MakeList =>
  async (world, amount) => {
    const [client, author] = [await world.person(), await world.person()]
    await client.follow(author)
    const ids = await world.statuses(author.id, amount)
    await world.database(`insert into events (kind, data) values ('caches.cleared', '{"change": "feeds"}')`)
    await waitForAllEventLogs(world.server.url)
    return {
      client,
      path: await open(world, client.id, author.id),
      keys: ids.toReversed(),
      keysIn: member('id'),
      hide: key => author.delete(`/api/v1/statuses/${key}`),
      add: () => author.postStatus('new', { visibility: 'unlisted' }),
    }
  }

const openList = async (world: World, reader: string, author: string): Promise<string> => {
  const [list] = await world.database(
    `with l as (insert into lists (account_id, title) values ($1, 'x') returning id)
     insert into list_accounts (list_id, account_id, follow_id)
     select l.id, $2, f.id from l join follows f on f.account_id = $1 and f.target_account_id = $2 returning list_id::text as id`,
    [reader, author],
  )
  return `/api/v1/timelines/list/${String(list?.['id'])}`
}

/** Like the lists in lists.ts. */
export const TIMELINES: Readonly<Record<string, MakeList>> = {
  '/api/v1/timelines/home': feed(() => Promise.resolve('/api/v1/timelines/home')),
  '/api/v1/timelines/list/:list_id': feed(openList),
  '/api/v1/timelines/link': linkTimeline,
  '/api/v1/timelines/public': publicTimeline(''),
  '/api/v1/timelines/public, local': publicTimeline('?local=true'),
  '/api/v1/timelines/public, remote': publicTimeline('?remote=true'),
  '/api/v1/timelines/public, only_media': publicTimeline('?only_media=true'),
  '/api/v1/timelines/tag/:hashtag': tagTimeline('plain'),
  '/api/v1/timelines/tag/:hashtag, any': tagTimeline('any'),
  '/api/v1/timelines/tag/:hashtag, all': tagTimeline('all'),
  '/api/v1/timelines/tag/:hashtag, none': tagTimeline('none'),
  '/api/v1/timelines/tag/:hashtag, only_media': tagTimeline('only_media'),
}
