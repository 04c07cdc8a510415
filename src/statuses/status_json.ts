import { Json, list, type Chunk } from '../platform/http/index.ts'
import type { Id } from '../core/id.ts'
import type { Viewer } from '../core/viewer.ts'
import { pollText } from './polls/index.ts'
import type { Card } from './preview_cards/index.ts'
import { type SeenQuote, shownOf } from './quotes/index.ts'
import type { Author } from './authors.ts'
import { partsOf, type StatusFragment } from './fragment.ts'
import { approvalFor, type CurrentUser } from './quote_approval.ts'
import type { ViewerState } from './viewer_states.ts'

export interface RenderOptions {
  /**
   * In timelines a boost itself shows as neither favourited nor boosted; only the boosted status
   * does.
   */
  timeline?: boolean
  /**
   * The viewer may see all of them, and the statuses they boost, so no check is needed: they come
   * from a query of now, or are public.
   */
  visible?: boolean
  /** Rendered as `text`, instead of `content`: for the response of DELETE. */
  text?: string
  /**
   * Includes the quoted status in any state of the quote, if the viewer may see it: for the
   * response of DELETE.
   */
  anyQuote?: boolean
  /**
   * Also rendered when the viewer may no longer see it, without interactions: for undoing earlier
   * actions.
   */
  unseen?: boolean
  /**
   * The viewer has just created it and it is not a reply, so nobody has interacted with it and no
   * query is needed.
   */
  fresh?: boolean
  /**
   * The viewer may see it and has not interacted with it or with the status it boosts, so no query
   * is needed: for streams. The value is the set of its authors whom the viewer follows.
   */
  untouched?: ReadonlySet<Id>
  /** Also deleted ones that are kept as evidence: for moderators, with `unseen`. */
  deleted?: boolean
  /** Without the viewer's filters. */
  unfiltered?: boolean
  /** Rendered though it is not stored: for the response to a dropped post. */
  unstored?: StatusFragment
}

/** The data of a page of statuses. */
export interface Page {
  readonly viewer: Viewer | null
  readonly fragments: ReadonlyMap<Id, StatusFragment>
  readonly accounts: ReadonlyMap<Id, Json>
  readonly authors: ReadonlyMap<Id, Author>
  /**
   * Of the visible ones, boosted ones included; undefined when all of `fragments` are visible and
   * there is no viewer.
   */
  readonly states: ReadonlyMap<Id, ViewerState> | undefined
  /** The authors who follow the viewer, of statuses where this decides about quotes. */
  readonly followers: ReadonlySet<Id>
  /** The FilterResults that are not empty, as JSON, by the status whose `filtered` they are. */
  readonly filtered: ReadonlyMap<Id, string>
  /** By the quoting status. */
  readonly quotes: ReadonlyMap<Id, SeenQuote>
  readonly cards: ReadonlyMap<Id, Card>
  /** Collections that texts link to. */
  readonly collections: ReadonlyMap<Id, Json>
  readonly nowMs: number
  readonly options: RenderOptions
}

const NULL = Buffer.from('null')
const TRUE = Buffer.from('true')
const FALSE = Buffer.from('false')
const NO_POLL_NO_CARD = Buffer.from(',"poll":null,"card":null')
const NO_QUOTE = Buffer.from(',"quote":null')
const NO_COLLECTIONS = '"},"tagged_collections":[]'
const NO_COLLECTIONS_BYTES = Buffer.from(NO_COLLECTIONS)

/** The index of this part of a status. */
const APPROVAL = 6

const CURRENT_USER = {
  automatic: Buffer.from('automatic'),
  manual: Buffer.from('manual'),
  denied: Buffer.from('denied'),
  unknown: Buffer.from('unknown'),
}

/**
 * The entity Status of one of the page; undefined when the viewer may not see it or the status it
 * boosts.
 */
export function composeStatus(page: Page, id: Id): Json | undefined {
  const fragment = page.fragments.get(id)
  if (!fragment || (page.states && !page.states.has(id))) return undefined
  const pieces: Chunk[] = []
  if (fragment.reblogOfId === null)
    return add(pieces, page, { fragment, original: fragment, text: page.options.text }) ? new Json(pieces) : undefined
  const original = page.fragments.get(fragment.reblogOfId)
  if (!original || (page.states && !page.states.has(original.id))) return undefined
  return add(pieces, page, { fragment, original, text: page.options.text }) ? new Json(pieces) : undefined
}

/** The entity Quote of a quoting status of the page. */
export function composeQuote(page: Page, fragment: StatusFragment): Json {
  const pieces: Chunk[] = []
  addQuote(pieces, page, fragment, false)
  return new Json(pieces)
}

interface Composed {
  readonly fragment: StatusFragment
  /** The status itself, or the one it boosts. */
  readonly original: StatusFragment
  /** The boost that it is part of, whose `filtered` is also its own. */
  readonly boost?: StatusFragment
  /** Shown instead of the content. */
  readonly text?: string | undefined
  /** It is part of a quote, so its own quote is only named. */
  readonly isQuoted?: boolean
}

/**
 * Adds the entity Status. Returns false, with incomplete output, when its author or the boosted
 * author was deleted, or is hidden from everybody: an event about a post may come after its author
 * was suspended, and streams ask for no more than what their rules decide.
 */
function add(pieces: Chunk[], page: Page, { fragment, original, boost, text, isQuoted = false }: Composed): boolean {
  const account = page.accounts.get(fragment.accountId)
  const author = page.authors.get(fragment.accountId)
  if (!account || (author?.hidden === true && page.options.unseen !== true)) return false
  const own = page.viewer?.id === fragment.accountId
  const isBoost = fragment !== original
  const look: View = {
    account,
    sensitive: fragment.sensitive || (author?.sensitized === true && !own && !isBoost),
    application: own || author?.showsApplication === true,
    currentUser: currentUser(page, original),
  }
  if (fragment.plain && text === undefined && look.application && look.sensitive === fragment.sensitive) {
    pieces.push(fragment.head)
    for (const piece of account.pieces) pieces.push(piece)
    pieces.push(fragment.plain.bytes, endOfPlain(page, fragment, boost ?? fragment, look.currentUser))
    return true
  }
  if (!addBody(pieces, page, { fragment, original, text, isQuoted }, look)) return false
  pieces.push(viewerFields(page, fragment, original, boost ?? fragment))
  return true
}

/** Everything before the viewer's fields that may differ between viewers. */
interface View {
  readonly account: Json
  readonly sensitive: boolean
  readonly application: boolean
  readonly currentUser: CurrentUser
}

/** Adds the entity up to the viewer's fields. */
function addBody(
  pieces: Chunk[],
  page: Page,
  { fragment, original, text, isQuoted = false }: Composed,
  look: View,
): boolean {
  const [content, visibility, body, application, rest, tail, approval] = partsOf(fragment)
  pieces.push(fragment.head, ...look.account.pieces)
  if (text === undefined) pieces.push(content)
  else pieces.push(`,"text":${JSON.stringify(text)}`)
  pieces.push(visibility, look.sensitive ? TRUE : FALSE, body)
  if (look.application) pieces.push(application)
  pieces.push(rest)
  if (fragment === original) pieces.push(NULL)
  else if (!add(pieces, page, { fragment: original, original, boost: fragment })) return false
  addPollAndCard(pieces, page, fragment)
  pieces.push(tail)
  if (fragment.hasQuote) pieces.push(',"quote":')
  if (fragment.hasQuote) addQuote(pieces, page, fragment, isQuoted)
  else pieces.push(NO_QUOTE)
  pieces.push(fragment === original ? approval : partsOf(original)[APPROVAL], CURRENT_USER[look.currentUser])
  addCollections(pieces, page, fragment)
  return true
}

function addPollAndCard(pieces: Chunk[], page: Page, fragment: StatusFragment): void {
  if (!fragment.poll && !fragment.card) pieces.push(NO_POLL_NO_CARD)
  else pieces.push(`,"poll":${pollOf(page, fragment)},"card":${cardOf(page, fragment)}`)
}

function pollOf({ viewer, states, nowMs }: Page, { id, poll, accountId }: StatusFragment): string {
  if (!poll) return 'null'
  const voter = viewer && { isAuthor: viewer.id === accountId, choices: states?.get(id)?.votes ?? [] }
  return pollText(poll, voter, nowMs)
}

const cardOf = ({ cards }: Page, { card }: StatusFragment): string =>
  (card && cards.get(card.id)?.text(card.url)) ?? 'null'

function addCollections(pieces: Chunk[], { collections }: Page, { collectionIds }: StatusFragment): void {
  if (collectionIds.length === 0) pieces.push(NO_COLLECTIONS_BYTES)
  else {
    const linked = list(collectionIds.flatMap(id => collections.get(id) ?? []))
    pieces.push('"},"tagged_collections":', ...linked.pieces)
  }
}

/** The entities Quote and, one level down, ShallowQuote. */
function addQuote(pieces: Chunk[], page: Page, fragment: StatusFragment, isQuoted: boolean): void {
  const quote = page.quotes.get(fragment.id)
  if (!quote) {
    pieces.push(NULL)
    return
  }
  const state = `{"state":"${quote.state}"`
  const id = page.options.anyQuote === true && !isQuoted ? quote.quotedId : shownOf(quote)
  if (isQuoted) {
    pieces.push(`${state},"quoted_status_id":${id === null ? null : `"${id}"`}}`)
    return
  }
  pieces.push(`${state},"quoted_status":`)
  const quoted = id === null ? undefined : page.fragments.get(id)
  const before = pieces.length
  if (!quoted || !add(pieces, page, { fragment: quoted, original: quoted, isQuoted: true })) {
    pieces.length = before
    pieces.push(NULL)
  }
  pieces.push('}')
}

/** The effect of a quote by the viewer: `current_user` of the entity QuoteApproval. */
function currentUser({ viewer, states, followers }: Page, original: StatusFragment): CurrentUser {
  if (!viewer || original.visibility === 'direct' || original.visibility === 'limited') return 'denied'
  if (viewer.id === original.accountId) return 'automatic'
  if (original.visibility === 'private' || original.quotePolicy === 'nobody') return 'denied'
  if (original.quotePolicy === 'public') return 'automatic'
  return approvalFor(
    original.quotePolicy,
    () => states?.get(original.id)?.follows_author === true,
    () => followers.has(original.accountId),
  )
}

/**
 * The viewer's fields, and the end of the entity.
 * @param outer the status, or the boost that it is part of
 */
function viewerFields(page: Page, fragment: StatusFragment, original: StatusFragment, outer: StatusFragment): Chunk {
  const { viewer, states, options } = page
  const state = states?.get(original.id)
  if (!viewer || !state) return '}'
  const boost = fragment !== original
  const shown = !boost || options.timeline !== true
  const own = isOwn(page, fragment) && !boost
  const filtered = filteredOf(page, outer)
  if (filtered !== '[]' || own) return fieldsOf(state, shown, own, filtered)
  const cache = shown ? shownFields : hiddenFields
  let fields = cache.get(state)
  if (!fields) cache.set(state, (fields = Buffer.from(fieldsOf(state, shown, false, '[]'))))
  return fields
}

/**
 * The end of a plain status: the quote policy, no collections, and the viewer's fields.
 * @param outer the status, or the boost that it is part of
 */
function endOfPlain(page: Page, fragment: StatusFragment, outer: StatusFragment, current: CurrentUser): Chunk {
  const { viewer, states } = page
  const state = states?.get(fragment.id)
  if (!viewer || !state) return ENDS_FOR_ANYBODY[current]
  const filtered = filteredOf(page, outer)
  const own = isOwn(page, fragment)
  if (filtered !== '[]' || own) return `${current}${NO_COLLECTIONS}${fieldsOf(state, true, own, filtered)}`
  const cache = ENDS[current]
  let end = cache.get(state)
  if (!end) cache.set(state, (end = Buffer.from(`${current}${NO_COLLECTIONS}${fieldsOf(state, true, false, '[]')}`)))
  return end
}

const isOwn = ({ viewer }: Page, { accountId, visibility }: StatusFragment): boolean =>
  viewer?.id === accountId && visibility !== 'direct'

const filteredOf = ({ filtered }: Page, { id }: StatusFragment): string => filtered.get(id) ?? '[]'

/** By the viewer's state, which is the same object for most statuses. */
const shownFields = new WeakMap<ViewerState, Chunk>()
const hiddenFields = new WeakMap<ViewerState, Chunk>()
const ENDS = {
  automatic: new WeakMap<ViewerState, Chunk>(),
  manual: new WeakMap<ViewerState, Chunk>(),
  denied: new WeakMap<ViewerState, Chunk>(),
  unknown: new WeakMap<ViewerState, Chunk>(),
}
const ENDS_FOR_ANYBODY = {
  automatic: Buffer.from(`automatic${NO_COLLECTIONS}}`),
  manual: Buffer.from(`manual${NO_COLLECTIONS}}`),
  denied: Buffer.from(`denied${NO_COLLECTIONS}}`),
  unknown: Buffer.from(`unknown${NO_COLLECTIONS}}`),
}

const fieldsOf = (state: ViewerState, shown: boolean, own: boolean, filtered: string): string =>
  `,"favourited":${shown && state.favourited},"reblogged":${shown && state.reblogged}` +
  `,"muted":${state.muted},"bookmarked":${shown && state.bookmarked}` +
  `${own ? `,"pinned":${state.pinned}` : ''},"filtered":${filtered}}`
