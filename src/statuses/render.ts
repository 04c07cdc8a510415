import { accountFragments, renderAccounts } from '../accounts/index.ts'
import { renderCollections } from '../collections/index.ts'
import { viewerFilters, type CompiledFilters } from '../filters/index.ts'
import { Json, list } from '../http/answer.ts'
import type { Id } from '../id.ts'
import type { Viewer } from '../oauth/token.ts'
import { pollText } from '../polls/index.ts'
import { type Card, cardsOf } from '../preview_cards/index.ts'
import { quotesOf, type SeenQuote, shownOf } from '../quotes/index.ts'
import type { Services } from '../services.ts'
import { authors, type Author } from './authors.ts'
import { searchText, type StatusFragment } from './fragment.ts'
import { statusFragments } from './load.ts'
import { findStates, UNTOUCHED, viewerStates, type ViewerState } from './viewer_states.ts'

export interface RenderOptions {
  /** In timelines a boost itself shows as neither favourited nor boosted, only what it boosts does (entities/Status.json). */
  timeline?: boolean
  /** Rendered as `text`, instead of `content`: for the answer of DELETE. */
  text?: string
  /** With what it quotes whatever the state of the quote, as far as the viewer may see that: for the answer of DELETE. */
  anyQuote?: boolean
  /** Rendered also when the viewer may no longer see it, as one that the viewer did nothing with: for the undoing of what was done before. */
  unseen?: boolean
  /** The viewer has just made it, and it answers nothing: nobody has done anything with it, so that this is not asked. */
  fresh?: boolean
  /** The same of one that was made by somebody whom the viewer follows: for streams. */
  freshOfFollowed?: boolean
}

/** All that a page of statuses is put together from. */
interface Page {
  readonly viewer: Viewer | null
  readonly fragments: ReadonlyMap<Id, StatusFragment>
  readonly accounts: ReadonlyMap<Id, Json>
  readonly authors: ReadonlyMap<Id, Author>
  /** Of the visible ones, boosted ones included; undefined: all of `fragments` are visible, and there is no viewer. */
  readonly states: ReadonlyMap<Id, ViewerState> | undefined
  readonly filters: CompiledFilters | undefined
  /** By the status that quotes. */
  readonly quotes: ReadonlyMap<Id, SeenQuote>
  readonly cards: ReadonlyMap<Id, Card>
  /** That texts link to. */
  readonly collections: ReadonlyMap<Id, Json>
  readonly nowMs: number
  readonly options: RenderOptions
}

/**
 * The entities of these statuses, those of them that the viewer may see. Without a viewer the ids must come from a query
 * through `visible_statuses(null)`; what they boost is checked here.
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
    const text = compose(page, id)
    if (text !== undefined) rendered.set(id, new Json(text))
  }
  return rendered
}

/** The entity Quote of a status that the viewer may see; undefined when it quotes nothing. */
export async function renderQuote(services: Services, viewer: Viewer | null, id: Id): Promise<Json | undefined> {
  const page = await loadPage(services, viewer, [id], {})
  const fragment = page.fragments.get(id)
  return fragment?.hasQuote ? new Json(quoteOf(page, fragment, false)) : undefined
}

async function loadPage(
  services: Services,
  viewer: Viewer | null,
  ids: readonly Id[],
  options: RenderOptions,
): Promise<Page> {
  const isFresh = options.fresh === true || options.freshOfFollowed === true
  const [fragments, seen, filters] = await Promise.all([
    loadWithBoosted(services, ids),
    viewer && (isFresh ? freshStates(ids) : viewerStates(services).of(viewer.id, ids)),
    viewer ? viewerFilters(services).one(viewer.id) : undefined,
    // Posting has dropped the author's account, so it is loaded meanwhile.
    viewer && options.fresh ? accountFragments(services).one(viewer.id) : undefined,
  ])
  const states = seen ?? (await loadAnonymousStates(services, fragments))
  if (viewer && states && !isFresh) await addBoosted(services, viewer.id, fragments, states)
  const quotes = await loadQuoted(services, viewer, fragments, states)
  const follows = states && followsOf(fragments, states)
  if (states && options.unseen === true)
    for (const id of fragments.keys()) if (!states.has(id)) states.set(id, UNTOUCHED)
  const accountIds = new Set<Id>()
  for (const fragment of fragments.values()) accountIds.add(fragment.accountId)
  const cardIds = [...fragments.values()].flatMap(({ card }) => card?.id ?? [])
  const linked = new Set([...fragments.values()].flatMap(({ collectionIds }) => collectionIds))
  const [accounts, authorsById, cards, collections] = await Promise.all([
    renderAccounts(services, viewer, [...accountIds], follows),
    authors(services).get(accountIds),
    cardsOf(services, viewer, cardIds),
    renderCollections(services, viewer, [...linked]),
  ])
  const nowMs = Date.now()
  return {
    viewer,
    fragments,
    accounts,
    authors: authorsById,
    states,
    filters,
    quotes,
    cards,
    collections,
    nowMs,
    options,
  }
}

/** The entity of one status, or undefined when the viewer may not see it. Without a viewer, as for `renderStatuses`. */
export async function renderStatus(
  services: Services,
  viewer: Viewer | null,
  id: Id,
  options: RenderOptions = {},
): Promise<Json | undefined> {
  return (await renderStatuses(services, viewer, [id], options)).get(id)
}

/** A status as public streams carry it: rendered for nobody (api/streaming.md, section 7). Undefined when it is gone. */
export const renderPublicStatus = (services: Services, id: Id): Promise<Json | undefined> =>
  renderStatus(services, null, id)

async function loadWithBoosted(services: Services, ids: readonly Id[]): Promise<Map<Id, StatusFragment>> {
  const fragments = statusFragments(services)
  const found = await fragments.get(ids)
  const boosted = new Set<Id>()
  for (const { reblogOfId } of found.values())
    if (reblogOfId !== null && !found.has(reblogOfId)) boosted.add(reblogOfId)
  if (boosted.size > 0) for (const [id, fragment] of await fragments.get(boosted)) found.set(id, fragment)
  return found
}

/** Asks only when the page has quotes; adds what is quoted to the fragments, and with a viewer to the states. */
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
  const [found, seen] = await Promise.all([
    statusFragments(services).get(quoted),
    viewer && viewerStates(services).of(viewer.id, quoted),
  ])
  for (const [id, fragment] of found) fragments.set(id, fragment)
  for (const [id, state] of seen ?? []) states?.set(id, state)
  return quotes
}

/** What is boosted was found with the boost, unless that was known before. */
async function addBoosted(
  services: Services,
  viewer: Id,
  fragments: ReadonlyMap<Id, StatusFragment>,
  states: Map<Id, ViewerState>,
): Promise<void> {
  const missing: Id[] = []
  for (const { reblogOfId } of fragments.values())
    if (reblogOfId !== null && !states.has(reblogOfId)) missing.push(reblogOfId)
  if (missing.length > 0)
    for (const [id, state] of await viewerStates(services).of(viewer, missing)) states.set(id, state)
}

/** Whether the viewer follows the authors, as the states tell. */
function followsOf(
  fragments: ReadonlyMap<Id, StatusFragment>,
  states: ReadonlyMap<Id, ViewerState>,
): ReadonlyMap<Id, boolean> {
  const follows = new Map<Id, boolean>()
  for (const [id, { follows_author }] of states) {
    const author = fragments.get(id)?.accountId
    if (author !== undefined) follows.set(author, follows_author)
  }
  return follows
}

const FRESH: ViewerState = { ...UNTOUCHED, follows_author: true }
const freshStates = (ids: readonly Id[]): Map<Id, ViewerState> => new Map(ids.map(id => [id, FRESH]))

/** Boosts are the only ones of which an anonymous page does not know yet that all of it is public. */
async function loadAnonymousStates(
  services: Services,
  fragments: ReadonlyMap<Id, StatusFragment>,
): Promise<Map<Id, ViewerState> | undefined> {
  if (![...fragments.values()].some(fragment => fragment.reblogOfId !== null)) return undefined
  return findStates(services, null, [...fragments.keys()])
}

function compose(page: Page, id: Id): string | undefined {
  const fragment = page.fragments.get(id)
  if (!fragment || (page.states && !page.states.has(id))) return undefined
  if (fragment.reblogOfId === null) return join(page, fragment, fragment, 'null', page.options.text)
  const original = page.fragments.get(fragment.reblogOfId)
  if (!original || (page.states && !page.states.has(original.id))) return undefined
  const inner = join(page, original, original, 'null')
  return inner === undefined ? undefined : join(page, fragment, original, inner, page.options.text)
}

/**
 * @param original the status itself, or what it boosts
 * @param text shown instead of the content
 * @param isQuoted it is part of a quote, so that its own is but named
 */
function join(
  page: Page,
  fragment: StatusFragment,
  original: StatusFragment,
  reblog: string,
  text?: string,
  isQuoted = false,
): string | undefined {
  const { viewer } = page
  const account = page.accounts.get(fragment.accountId)
  if (!account) return undefined
  const own = viewer?.id === fragment.accountId
  const author = page.authors.get(fragment.accountId)
  const sensitive = fragment.sensitive || (author?.sensitized === true && !own && reblog === 'null')
  const content = text === undefined ? `"content":${fragment.content}` : `"text":${JSON.stringify(text)}`
  const shown = own || author?.showsApplication === true
  return (
    `${fragment.head}${account.text},${content},"visibility":"${shownVisibility(fragment)}","sensitive":${sensitive}` +
    `${fragment.body}${shown ? fragment.application : ''}${fragment.rest}${reblog},"poll":${pollOf(page, fragment)},"card":${cardOf(page, fragment)}` +
    `${fragment.tail},"quote":${quoteOf(page, fragment, isQuoted)}${original.approval}${currentUser(page, original)}"},"tagged_collections":${collectionsOf(page, fragment)}${viewerFields(page, fragment, original)}}`
  )
}

function pollOf({ viewer, states, nowMs }: Page, { id, poll, accountId }: StatusFragment): string {
  if (!poll) return 'null'
  const voter = viewer && { isAuthor: viewer.id === accountId, choices: states?.get(id)?.votes ?? [] }
  return pollText(poll, voter, nowMs)
}

const collectionsOf = ({ collections }: Page, { collectionIds }: StatusFragment): string =>
  list(collectionIds.flatMap(id => collections.get(id) ?? [])).text

const cardOf = ({ cards }: Page, { card }: StatusFragment): string =>
  (card && cards.get(card.id)?.text(card.url)) ?? 'null'

/** The entities Quote and, one level down, ShallowQuote. */
function quoteOf(page: Page, fragment: StatusFragment, isQuoted: boolean): string {
  const quote = page.quotes.get(fragment.id)
  if (!quote) return 'null'
  const state = `{"state":"${quote.state}"`
  const id = page.options.anyQuote === true && !isQuoted ? quote.quotedId : shownOf(quote)
  if (isQuoted) return `${state},"quoted_status_id":${id === null ? null : `"${id}"`}}`
  const quoted = id === null ? undefined : page.fragments.get(id)
  return `${state},"quoted_status":${(quoted && join(page, quoted, quoted, 'null', undefined, true)) ?? null}}`
}

const shownVisibility = (fragment: StatusFragment): string =>
  fragment.visibility === 'limited' ? 'private' : fragment.visibility

/** What happens if the viewer quotes it (entities/QuoteApproval.json). */
function currentUser({ viewer, states }: Page, original: StatusFragment): string {
  if (!viewer || original.visibility === 'direct' || original.visibility === 'limited') return 'denied'
  if (viewer.id === original.accountId) return 'automatic'
  if (original.visibility === 'private' || original.quotePolicy === 'nobody') return 'denied'
  if (original.quotePolicy === 'public') return 'automatic'
  return states?.get(original.id)?.follows_author === true ? 'automatic' : 'denied'
}

function viewerFields(page: Page, fragment: StatusFragment, original: StatusFragment): string {
  const { viewer, states, filters, options } = page
  const state = states?.get(original.id)
  if (!viewer || !state) return ''
  const boost = fragment !== original
  const shown = !boost || options.timeline !== true
  const own = viewer.id === fragment.accountId && !boost && fragment.visibility !== 'direct'
  const filtered = filters ? filters.match(() => searchText(original), [original.id, fragment.id]) : '[]'
  return (
    `,"favourited":${shown && state.favourited},"reblogged":${shown && state.reblogged}` +
    `,"muted":${state.muted},"bookmarked":${shown && state.bookmarked}` +
    `${own ? `,"pinned":${state.pinned}` : ''},"filtered":${filtered}`
  )
}
