import { member, type Rows } from './rows.ts'
import type { World } from './world.ts'

/** A list that is paged by offset. Its rows do not change, because changes would move offsets. */
export type Placed = Pick<Rows, 'client' | 'path' | 'keysIn'> & { readonly keys: ReadonlySet<string> }

export type MakePlaced = (world: World, amount: number) => Promise<Placed>

const found =
  (path: string, keysIn: Rows['keysIn']): MakePlaced =>
  async (world, amount) => ({
    client: await world.person(),
    path: `${path}${path.includes('?') ? '&' : '?'}q=${world.stem}`,
    keysIn,
    keys: new Set(await world.accounts(amount)),
  })

const directory: MakePlaced = async (world, amount) => {
  await world.database('update accounts set discoverable = false')
  const keys = await world.accounts(amount)
  await world.database('update accounts set discoverable = true where id = any ($1)', [keys])
  return {
    client: await world.person(),
    path: '/api/v1/directory?order=new',
    keysIn: member('id'),
    keys: new Set(keys),
  }
}

const collections =
  (version: string, what: 'collections' | 'in_collections'): MakePlaced =>
  async (world, amount) => {
    const [client, curator] = [await world.person(), await world.person()]
    const made = await world.database(
      `with made as (
         insert into collections (account_id, name, sensitive, discoverable)
         select $1, 'x', false, true from generate_series(1, $3::integer) returning id
       ), filled as (
         insert into collection_items (collection_id, account_id, state) select made.id, $2, 'accepted' from made
       )
       select made.id::text from made`,
      [curator.id, client.id, amount],
    )
    const account = what === 'collections' ? curator : client
    return {
      client,
      path: `/api/${version}/accounts/${account.id}/${what}`,
      keysIn: member('id', 'collections'),
      keys: new Set(made.map(row => String(row['id']))),
    }
  }

const taggedSearch: MakePlaced = async (world, amount) => {
  const client = await world.person()
  const names = Array.from({ length: amount }, (_, index) => `${world.stem}n${index}`)
  await world.database('insert into tags (name, display_name) select name, name from unnest($1::text[]) name', [names])
  return {
    client,
    path: `/api/v2/search?type=hashtags&q=${world.stem}n`,
    keysIn: member('name', 'hashtags'),
    keys: new Set(names),
  }
}

const statusSearch: MakePlaced = async (world, amount) => {
  const client = await world.person()
  const ids = await world.statuses(client.id, amount)
  await world.database('update statuses set text = $2 where id = any ($1)', [ids, world.stem])
  return {
    client,
    path: `/api/v2/search?type=statuses&q=${world.stem}`,
    keysIn: member('id', 'statuses'),
    keys: new Set(ids),
  }
}

const trendingTags =
  (path: string): MakePlaced =>
  async (world, amount) => {
    const names = Array.from({ length: amount }, (_, index) => `${world.stem}t${index}`)
    await world.database('delete from tag_trends')
    await world.database(
      `with made as (
         insert into tags (name, display_name, trendable) select name, name, true from unnest($1::text[]) name returning id
       )
       insert into tag_trends (tag_id, peak, peaked_at, score) select made.id, 9, now(), 9 + made.id % 3 from made`,
      [names],
    )
    return { client: await world.person(), path, keysIn: member('name'), keys: new Set(names) }
  }

const trendingStatuses: MakePlaced = async (world, amount) => {
  const authors = await world.accounts(amount)
  const made = await world.database(
    `with made as (
       insert into statuses (account_id, text, content, visibility, language, trendable)
       select author, 'x', '<p>x</p>', 'public', 'en', true from unnest($1::bigint[]) author returning id
     ), trend as (
       insert into status_trends (status_id, score) select made.id, 9 + made.id % 3 from made
     )
     select made.id::text from made`,
    [authors],
  )
  return {
    client: await world.person(),
    path: '/api/v1/trends/statuses',
    keysIn: member('id'),
    keys: new Set(made.map(row => String(row['id']))),
  }
}

const trendingLinks: MakePlaced = async (world, amount) => {
  const urls = Array.from({ length: amount }, (_, index) => `https://news.example/${world.stem}/${index}`)
  await world.database(
    `with card as (
       insert into preview_cards (url, type, title, trendable) select url, 'link', 'News', true from unnest($1::text[]) url returning id
     )
     insert into link_trends (preview_card_id, peak, peaked_at, score) select card.id, 9, now(), 9 + card.id % 3 from card`,
    [urls],
  )
  return { client: await world.person(), path: '/api/v1/trends/links', keysIn: member('url'), keys: new Set(urls) }
}

/**
 * Creates each list that pages by offset, by the path of its operation, with a variant after a
 * comma.
 */
export const OFFSET_LISTS: Readonly<Record<string, MakePlaced>> = {
  '/api/v1/accounts/search': found('/api/v1/accounts/search', member('id')),
  '/api/v2/search, accounts': found('/api/v2/search?type=accounts', member('id', 'accounts')),
  '/api/v2/search, hashtags': taggedSearch,
  '/api/v2/search, statuses': statusSearch,
  '/api/v1/trends': trendingTags('/api/v1/trends'),
  '/api/v1/trends/tags': trendingTags('/api/v1/trends/tags'),
  '/api/v1/trends/statuses': trendingStatuses,
  '/api/v1/trends/links': trendingLinks,
  '/api/v1/directory': directory,
  '/api/v1/accounts/:account_id/collections': collections('v1', 'collections'),
  '/api/v1_alpha/accounts/:account_id/collections': collections('v1_alpha', 'collections'),
  '/api/v1/accounts/:account_id/in_collections': collections('v1', 'in_collections'),
  '/api/v1_alpha/accounts/:account_id/in_collections': collections('v1_alpha', 'in_collections'),
}
