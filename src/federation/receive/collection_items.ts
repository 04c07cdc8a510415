import type { Services } from '../../platform/services.ts'
import { fetchObject } from '../fetch/index.ts'
import { idOf, isObject, listOf, sameHost, typesOf, type JsonObject } from '../protocol/index.ts'

const TYPES = new Set(['Collection', 'OrderedCollection', 'CollectionPage', 'OrderedCollectionPage'])

interface Limits {
  readonly items: number
  readonly pages: number
}

const isCollection = (object: JsonObject): boolean => typesOf(object).some(type => TYPES.has(type))

/** The collection or page itself, or the one with this id on the host of its owner. */
async function fetched(services: Services, value: unknown, owner: string): Promise<JsonObject | undefined> {
  if (isObject(value) && isCollection(value)) return value
  const uri = idOf(value)
  const found = uri !== undefined && sameHost(uri, owner) ? await fetchObject(services, uri) : undefined
  return found && isCollection(found) ? found : undefined
}

/** The ids of the items that are embedded in a collection, in itself and its first page. */
export function embeddedItems(collection: unknown): string[] {
  if (!isObject(collection)) return []
  const first = isObject(collection['first']) ? collection['first'] : {}
  const items = [collection, first].flatMap(page => [...listOf(page['items']), ...listOf(page['orderedItems'])])
  return items.flatMap(item => idOf(item) ?? [])
}

/**
 * The first items of a collection: embedded, or named by its id. Its pages are fetched from the
 * host of its owner only.
 * @throws OutgoingFailure
 */
export async function collectionItems(
  services: Services,
  collection: unknown,
  owner: string,
  limits: Limits,
): Promise<unknown[]> {
  const items: unknown[] = []
  const seen = new Set<string>()
  let next = await fetched(services, collection, owner)
  for (let pages = 0; next && items.length < limits.items;) {
    items.push(...listOf(next['items'] ?? next['orderedItems']))
    const following: unknown = next['first'] ?? next['next']
    const uri = idOf(following)
    if (following === undefined || pages === limits.pages || (uri !== undefined && seen.has(uri))) break
    if (uri !== undefined) seen.add(uri)
    pages += 1
    next = await fetched(services, following, owner)
  }
  return items.slice(0, limits.items)
}
