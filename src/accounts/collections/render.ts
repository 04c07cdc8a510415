import { renderAccounts } from '../index.ts'
import { c, query, type Row } from '../../platform/database/index.ts'
import { Json, list } from '../../platform/http/index.ts'
import type { Id } from '../../core/id.ts'
import type { Viewer } from '../../core/viewer.ts'
import type { Services } from '../../platform/services.ts'
import { tagUrl } from '../../core/text/index.ts'
import { addressesOf } from './address.ts'
import { ITEM_COLUMNS, toItem } from './item.ts'

const findShown = query(
  'accounts/collections/shown',
  { viewer: c.nullable(c.id), ids: c.ids },
  {
    id: c.id,
    account_id: c.id,
    local: c.boolean,
    uri: c.nullable(c.text),
    url: c.nullable(c.text),
    name: c.text,
    description: c.nullable(c.text),
    language: c.nullable(c.text),
    tag: c.nullable(c.text),
    sensitive: c.boolean,
    discoverable: c.boolean,
    created_at: c.timestamp,
    updated_at: c.timestamp,
  },
)
const findItems = query(
  'accounts/collections/items',
  { viewer: c.nullable(c.id), collections: c.ids },
  { ...ITEM_COLUMNS, collection_id: c.id },
)

type CollectionRow = Row<typeof findShown.columns>
type ItemRow = Row<typeof findItems.columns>

/** A collection with the items that are visible to the viewer. */
interface Shown {
  readonly row: CollectionRow
  readonly items: readonly ItemRow[]
}

async function findAll({ database }: Services, viewer: Viewer | null, ids: readonly Id[]): Promise<Map<Id, Shown>> {
  if (ids.length === 0) return new Map()
  const parameters = { viewer: viewer?.id ?? null, ids: [...ids] }
  const [rows, items] = await Promise.all([
    database.run(findShown, parameters),
    database.run(findItems, { viewer: parameters.viewer, collections: parameters.ids }),
  ])
  const itemsOf = Map.groupBy(items, item => item.collection_id)
  return new Map(rows.map(row => [row.id, { row, items: itemsOf.get(row.id) ?? [] }]))
}

/** The entity Collection. */
function toCollection({ row, items }: Shown, { config: { publicUrl } }: Services): Json {
  const entity = {
    id: row.id,
    account_id: row.account_id,
    ...addressesOf(row, publicUrl),
    name: row.name,
    // Some clients cannot read null.
    description: row.description ?? '',
    language: row.language,
    local: row.local,
    sensitive: row.sensitive,
    discoverable: row.discoverable,
    tag: row.tag === null ? null : { name: row.tag, url: tagUrl(row.tag, publicUrl) },
    item_count: items.length,
    items: items.map(toItem),
    created_at: row.created_at,
    updated_at: row.updated_at,
  }
  return new Json(JSON.stringify(entity))
}

/**
 * The entities of these collections; collections that the viewer (null: anonymous) may not see are
 * missing.
 */
export async function renderCollections(
  services: Services,
  viewer: Viewer | null,
  ids: readonly Id[],
): Promise<Map<Id, Json>> {
  if (ids.length === 0) return new Map()
  const found = await findAll(services, viewer, ids)
  return new Map([...found].map(([id, shown]) => [id, toCollection(shown, services)]))
}

/** A single entity of `renderCollections`. */
export const renderCollection = async (services: Services, viewer: Viewer | null, id: Id): Promise<Json | undefined> =>
  (await renderCollections(services, viewer, [id])).get(id)

/** The entity CollectionWithAccounts: the curator first, then the members, without duplicates. */
export async function renderWithAccounts(services: Services, viewer: Viewer | null, id: Id): Promise<Json | undefined> {
  const shown = (await findAll(services, viewer, [id])).get(id)
  if (!shown) return undefined
  const people = [...new Set([shown.row.account_id, ...shown.items.map(item => item.account_id)])]
  const accounts = await renderAccounts(services, viewer, people)
  const rendered = list(people.flatMap(person => accounts.get(person) ?? []))
  return new Json(`{"accounts":${rendered.text},"collection":${toCollection(shown, services).text}}`)
}
