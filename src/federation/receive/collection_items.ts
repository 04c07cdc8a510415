import type { Services } from '../../platform/services.ts'
import { fetchFromHost } from '../fetch/index.ts'
import { idOf, isObject, listOf, sameHost, typesOf, type JsonObject } from '../protocol/index.ts'

const TYPES = new Set([
  'Collection',
  'OrderedCollection',
  'CollectionPage',
  'OrderedCollectionPage',
  'FeaturedCollection',
])

interface Limits {
  readonly items: number
  readonly pages: number
}

const isCollection = (object: JsonObject): boolean => typesOf(object).some(type => TYPES.has(type))

/**
 * An embedded collection or page, or the one with this id, fetched if it is on the owner's host.
 */
async function loadPage(services: Services, value: unknown, owner: string): Promise<JsonObject | undefined> {
  if (isObject(value) && isCollection(value)) return value
  const uri = idOf(value)
  const found = uri !== undefined && sameHost(uri, owner) ? await fetchFromHost(services, uri) : undefined
  return found && isCollection(found) ? found : undefined
}

/** The ids of the items that are embedded in a collection and its first page. */
export function embeddedItemIds(collection: unknown): string[] {
  if (!isObject(collection)) return []
  const first = isObject(collection['first']) ? collection['first'] : {}
  const items = [collection, first].flatMap(page => [...listOf(page['items']), ...listOf(page['orderedItems'])])
  return items.flatMap(item => idOf(item) ?? [])
}

/** The items of a collection, as far as they were read. */
interface ReadItems {
  readonly items: unknown[]
  /** Whether these are all. */
  readonly isComplete: boolean
  /** Whether the collection, or one of its pages, could not be read. */
  readonly isUnreadable: boolean
}

/** A page may also name the first page; the last one may name null. */
const nextOf = (page: JsonObject): unknown =>
  (typesOf(page).some(type => type.endsWith('Page')) ? page['next'] : (page['first'] ?? page['next'])) ?? undefined

/**
 * Reads the first items of a collection, which is embedded or fetched. Pages are fetched from the
 * owner's host only.
 * @throws OutgoingFailure
 */
export async function readCollectionItems(
  services: Services,
  collection: unknown,
  owner: string,
  limits: Limits,
): Promise<ReadItems> {
  const items: unknown[] = []
  const seen = new Set<string>()
  let isComplete = false
  let page = await loadPage(services, collection, owner)
  for (let pages = 0; page && items.length < limits.items;) {
    // One more shows that these are not all. A page of a megabyte has too many for one call.
    items.push(...listOf(page['items'] ?? page['orderedItems']).slice(0, limits.items + 1 - items.length))
    const nextPage = nextOf(page)
    const uri = idOf(nextPage)
    isComplete = nextPage === undefined && items.length <= limits.items
    if (nextPage === undefined || pages === limits.pages || (uri !== undefined && seen.has(uri))) break
    if (uri !== undefined) seen.add(uri)
    pages += 1
    page = await loadPage(services, nextPage, owner)
  }
  const isUnreadable = page === undefined && items.length < limits.items
  return { items: items.slice(0, limits.items), isComplete, isUnreadable }
}

/** The items alone of `readCollectionItems`. @throws OutgoingFailure */
export const fetchCollectionItems = async (...given: Parameters<typeof readCollectionItems>): Promise<unknown[]> =>
  (await readCollectionItems(...given)).items
