import { accountFragments, renderAccounts } from '../accounts/index.ts'
import { renderCollections } from '../accounts/collections/index.ts'
import { viewerFilters, type CompiledFilters } from './filters/index.ts'
import type { Json } from '../platform/http/index.ts'
import type { Id } from '../core/id.ts'
import { runInTimeSlices, type Steps } from '../core/time_slices.ts'
import type { Viewer } from '../core/viewer.ts'
import { cardsOf } from './preview_cards/index.ts'
import { quotesOf, type SeenQuote } from './quotes/index.ts'
import type { Services } from '../platform/services.ts'
import { authors } from './authors.ts'
import { composeQuote, composeStatus, type Page, type RenderOptions } from './status_json.ts'
import { searchText, type StatusFragment } from './fragment.ts'
import { authorsWhoFollow } from './quote_approval.ts'
import { loadEvidence, statusFragments } from './load.ts'
import { knownVisible, visibleStates } from './known_visible.ts'
import {
  findStates,
  NO_INTERACTIONS_FOLLOWED,
  NO_INTERACTIONS,
  viewerStates,
  type ViewerState,
} from './viewer_states.ts'

/**
 * Renders these statuses, as far as the viewer may see them. Without a viewer the ids must come
 * from a query through `visible_statuses(null)`; boosted statuses are checked here.
 */
export async function renderStatuses(
  services: Services,
  viewer: Viewer | null,
  ids: readonly Id[],
  options: RenderOptions = {},
): Promise<Map<Id, Json>> {
  const rendered = new Map<Id, Json>()
  if (ids.length === 0) return rendered
  const page = await loadPage(services, viewer, ids, options)
  for (const id of ids) {
    const entity = composeStatus(page, id)
    if (entity) rendered.set(id, entity)
  }
  return rendered
}

/** As `renderStatuses`, for a page: in the order of the ids, without hidden statuses. */
export async function renderPage(
  services: Services,
  viewer: Viewer | null,
  ids: readonly Id[],
  options: RenderOptions = {},
): Promise<Json[]> {
  if (ids.length === 0) return []
  const page = await loadPage(services, viewer, ids, options)
  const entities: Json[] = []
  for (const id of ids) {
    const entity = composeStatus(page, id)
    if (entity) entities.push(entity)
  }
  return entities
}

/** The entity Quote of a status that the viewer may see; undefined when it quotes nothing. */
export async function renderQuote(services: Services, viewer: Viewer | null, id: Id): Promise<Json | undefined> {
  const page = await loadPage(services, viewer, [id], {})
  const fragment = page.fragments.get(id)
  return fragment?.hasQuote ? composeQuote(page, fragment) : undefined
}

async function loadPage(
  services: Services,
  viewer: Viewer | null,
  ids: readonly Id[],
  options: RenderOptions,
): Promise<Page> {
  const isUntouched = viewer !== null && (options.fresh === true || options.untouched !== undefined)
  const [fragments, filters] = await Promise.all([
    options.unstored
      ? new Map([[options.unstored.id, options.unstored]])
      : loadWithBoosted(services, ids, options.deleted),
    viewer && options.unfiltered !== true ? viewerFilters(services).one(viewer.id) : undefined,
    // Posting has evicted the author's account, so it is loaded at the same time.
    viewer && options.fresh ? accountFragments(services).one(viewer.id) : undefined,
  ])
  const states = isUntouched
    ? untouchedStates(fragments, options)
    : await loadStates(services, viewer, ids, fragments, options)
  if (viewer && states && !isUntouched) await addBoosted(services, viewer.id, fragments, states)
  const quotes = await loadQuoted(services, viewer, fragments, states)
  const { accountIds, cardIds, collectionIds } = containedIn(fragments)
  const [accounts, authorsById, cards, collections, followers] = await Promise.all([
    renderAccounts(services, viewer, accountIds, states && followsOf(fragments, states)),
    authors(services).get(accountIds),
    cardsOf(services, viewer, cardIds),
    renderCollections(services, viewer, collectionIds),
    authorsWhoFollow(services, viewer?.id, fragments.values()),
  ])
  if (states && options.unseen === true)
    for (const id of fragments.keys()) if (!states.has(id)) states.set(id, NO_INTERACTIONS)
  const filtered =
    filters && !filters.isEmpty ? await runInTimeSlices(matchAll(filters, fragments, states)) : NOTHING_FILTERED
  const nowMs = Date.now()
  return {
    viewer,
    fragments,
    accounts,
    authors: authorsById,
    states,
    followers,
    filtered,
    quotes,
    cards,
    collections,
    nowMs,
    options,
  }
}

/** The ids of the entities that the entities of these statuses contain. */
function containedIn(fragments: ReadonlyMap<Id, StatusFragment>): {
  accountIds: readonly Id[]
  cardIds: readonly Id[]
  collectionIds: readonly Id[]
} {
  const accountIds = new Set<Id>()
  const cardIds: Id[] = []
  const collectionIds = new Set<Id>()
  for (const fragment of fragments.values()) {
    accountIds.add(fragment.accountId)
    if (fragment.card) cardIds.push(fragment.card.id)
    for (const id of fragment.collectionIds) collectionIds.add(id)
  }
  return { accountIds: [...accountIds], cardIds, collectionIds: [...collectionIds] }
}

const NOTHING_FILTERED: ReadonlyMap<Id, string> = new Map()

/** The FilterResults that are not empty, of the visible statuses. */
function* matchAll(
  filters: CompiledFilters,
  fragments: ReadonlyMap<Id, StatusFragment>,
  states: ReadonlyMap<Id, ViewerState> | undefined,
): Steps<ReadonlyMap<Id, string>> {
  const found = new Map<Id, string>()
  for (const { id, reblogOfId } of fragments.values()) {
    const original = fragments.get(reblogOfId ?? id)
    if (!original || (states && !states.has(id))) continue
    const filtered = yield* filters.match(() => searchText(original), [original.id, id])
    if (filtered !== '[]') found.set(id, filtered)
    yield
  }
  return found
}

/**
 * Renders one status; undefined when the viewer may not see it. Without a viewer, as for
 * `renderStatuses`.
 */
export async function renderStatus(
  services: Services,
  viewer: Viewer | null,
  id: Id,
  options: RenderOptions = {},
): Promise<Json | undefined> {
  return (await renderStatuses(services, viewer, [id], options)).get(id)
}

/**
 * A status as public streams carry it, rendered for an anonymous viewer. Undefined when it was
 * deleted.
 */
export const renderPublicStatus = (services: Services, id: Id): Promise<Json | undefined> =>
  renderStatus(services, null, id)

async function loadWithBoosted(
  services: Services,
  ids: readonly Id[],
  withDeleted = false,
): Promise<Map<Id, StatusFragment>> {
  const fragments = statusFragments(services)
  const found = await fragments.get(ids)
  if (withDeleted) {
    const missing = ids.filter(id => !found.has(id))
    for (const [id, fragment] of await loadEvidence(services, missing)) found.set(id, fragment)
  }
  const boosted = new Set<Id>()
  for (const { reblogOfId } of found.values())
    if (reblogOfId !== null && !found.has(reblogOfId)) boosted.add(reblogOfId)
  if (boosted.size > 0) for (const [id, fragment] of await fragments.get(boosted)) found.set(id, fragment)
  return found
}

/**
 * Needs a query only when the page has quotes; adds the quoted statuses to the fragments, and with
 * a viewer to the states.
 */
async function loadQuoted(
  services: Services,
  viewer: Viewer | null,
  fragments: Map<Id, StatusFragment>,
  states: Map<Id, ViewerState> | undefined,
): Promise<ReadonlyMap<Id, SeenQuote>> {
  const quoting = [...fragments.values()].filter(fragment => fragment.hasQuote).map(fragment => fragment.id)
  const quotes = await quotesOf(services, viewer?.id ?? null, quoting)
  const quoted = quoting
    .flatMap(id => quotes.get(id)?.quotedId ?? [])
    .filter(id => !fragments.has(id) || !states?.has(id))
  if (quoted.length === 0) return quotes
  const [found, visible] = await Promise.all([
    statusFragments(services).get(quoted),
    viewer && viewerStates(services).of(viewer.id, quoted),
  ])
  for (const [id, fragment] of found) fragments.set(id, fragment)
  for (const [id, state] of visible ?? []) states?.set(id, state)
  return quotes
}

/** Boosted statuses were found with their boosts, unless the boosts came from the cache. */
async function addBoosted(
  services: Services,
  viewer: Id,
  fragments: ReadonlyMap<Id, StatusFragment>,
  states: Map<Id, ViewerState>,
): Promise<void> {
  const missing: Id[] = []
  for (const { reblogOfId } of fragments.values())
    if (reblogOfId !== null && fragments.has(reblogOfId) && !states.has(reblogOfId)) missing.push(reblogOfId)
  if (missing.length > 0)
    for (const [id, state] of await viewerStates(services).of(viewer, missing)) states.set(id, state)
}

/** Whether the viewer follows the authors, from the states. Few entities depend on it. */
function followsOf(
  fragments: ReadonlyMap<Id, StatusFragment>,
  states: ReadonlyMap<Id, ViewerState>,
): Pick<ReadonlyMap<Id, boolean>, 'get'> {
  let follows: Map<Id, boolean> | undefined
  return {
    get(account) {
      if (!follows) {
        follows = new Map()
        for (const [id, { follows_author }] of states) {
          const author = fragments.get(id)?.accountId
          if (author !== undefined) follows.set(author, follows_author)
        }
      }
      return follows.get(account)
    },
  }
}

function untouchedStates(
  fragments: ReadonlyMap<Id, StatusFragment>,
  { fresh, untouched }: RenderOptions,
): Map<Id, ViewerState> {
  const states = new Map<Id, ViewerState>()
  for (const { id, accountId } of fragments.values()) {
    states.set(id, fresh === true || untouched?.has(accountId) === true ? NO_INTERACTIONS_FOLLOWED : NO_INTERACTIONS)
  }
  return states
}

async function loadStates(
  services: Services,
  viewer: Viewer | null,
  ids: readonly Id[],
  fragments: ReadonlyMap<Id, StatusFragment>,
  { visible, deleted, unstored }: RenderOptions,
): Promise<Map<Id, ViewerState> | undefined> {
  if (!viewer) return loadAnonymousStates(services, fragments)
  if (visible === true) return knownVisible(services, viewer.id, fragments.values())
  // These fragments do not say that the status exists.
  if (deleted === true || unstored) return viewerStates(services).of(viewer.id, ids)
  return visibleStates(services, viewer.id, fragments)
}

/** On an anonymous page only boosted statuses may not be public and need a check. */
async function loadAnonymousStates(
  services: Services,
  fragments: ReadonlyMap<Id, StatusFragment>,
): Promise<Map<Id, ViewerState> | undefined> {
  if (![...fragments.values()].some(fragment => fragment.reblogOfId !== null)) return undefined
  return findStates(services, null, [...fragments.keys()])
}
