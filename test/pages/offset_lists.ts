import { member, type Rows } from './rows.ts'
import type { World } from './world.ts'

/** A list that is paged by offset. Its rows stay: what comes and goes moves the places that an offset counts. */
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

/** How each list that pages by offset is made, by the path of its operation. */
export const OFFSET_LISTS: Readonly<Record<string, MakePlaced>> = {
  '/api/v1/accounts/search': found('/api/v1/accounts/search', member('id')),
  '/api/v2/search': found('/api/v2/search?type=accounts', member('id', 'accounts')),
  '/api/v1/directory': directory,
  '/api/v1/accounts/:account_id/collections': collections('v1', 'collections'),
  '/api/v1_alpha/accounts/:account_id/collections': collections('v1_alpha', 'collections'),
  '/api/v1/accounts/:account_id/in_collections': collections('v1', 'in_collections'),
  '/api/v1_alpha/accounts/:account_id/in_collections': collections('v1_alpha', 'in_collections'),
}
