import type { LoggedEvent } from '../../platform/events/index.ts'
import type { FeedUpdate, WatchedFeed } from '../feeds/index.ts'
import { viewerFilters } from '../../statuses/filters/index.ts'
import type { Id } from '../../core/id.ts'
import { runInTimeSlices } from '../../core/time_slices.ts'
import { relationships, type Relations } from '../../accounts/relationships/index.ts'
import type { Services } from '../../platform/services.ts'
import {
  factsOf,
  findSharedView,
  interactionIndex,
  type RenderOptions,
  type Searched,
  type StatusFacts,
} from '../../statuses/index.ts'
import { PerChannel, type Channel, type Frame, type Rendered } from '../../platform/streaming/index.ts'
import type { Reader } from './reader.ts'
import { renderFor } from './render.ts'

/** A frame for one channel. */
type Input = Frame<Reader> | Promise<Rendered<Reader> | PerChannel<Reader>>

/**
 * A rendering shared by the viewers who follow the same authors of a status and have not interacted
 * with it.
 */
interface SharedRendering {
  readonly follows: ReadonlySet<Id>
  /** False when the view is not shared after all; undefined when the status was deleted. */
  readonly alike: Promise<Searched | false | undefined>
  readonly frame: Promise<Frame<Reader> | PerChannel<Reader> | undefined>
}

/**
 * Whether the status of the event is too new for anybody to have interacted with it. A reply may
 * belong to a muted conversation.
 */
const isNews = (event: LoggedEvent, facts: StatusFacts): boolean =>
  event.kind === 'status.created' && facts.reblog_of_id === null && facts.in_reply_to_id === null

/**
 * The options that render a live event for the owner of a feed that takes it. The status is
 * visible, because feeds follow the rules of visibility; for past events this is unknown.
 */
export function optionsFor(services: Services, event: LoggedEvent, owner: Id): RenderOptions {
  const facts = factsOf(event)
  const { actor_id: author } = event
  if (!facts || author === null || !isNews(event, facts)) return { visible: true }
  const follows = author === owner || relationships(services).peek(owner)?.follows.has(author) === true
  return { untouched: new Set(follows ? [author] : []) }
}

/**
 * The frames of an event for many feeds, each rendered once: a thousand followers receive the same
 * bytes, and those who have interacted with the status receive their own. Returns undefined when a
 * feed needs a frame of its own.
 */
export function shareFrames(services: Services, event: LoggedEvent, isLive: boolean) {
  const filters = viewerFilters(services)
  const interactions = interactionIndex(services)
  const facts = factsOf(event)
  const original = facts?.reblog_of_id ?? event.status_id
  const authors = [event.actor_id, facts?.reblog_account_id ?? null].filter(author => author !== null)
  const news = facts !== undefined && isNews(event, facts)
  /** By the followed of the two authors, a bit for each. */
  const renderings: (SharedRendering | undefined)[] = []
  let deletion: Frame<Reader> | undefined

  const renderUpdate = (
    channel: Channel<Reader>,
    { event: named, status }: FeedUpdate,
    options: RenderOptions,
  ): Promise<Frame<Reader> | undefined> => renderFor(services, channel, named, status, options)

  /** @param channel of one viewer with this view */
  function makeRendering(follows: ReadonlySet<Id>, channel: Channel<Reader>, update: FeedUpdate): SharedRendering {
    const alike = findSharedView(services, update.status)
    async function render(): Promise<Awaited<SharedRendering['frame']>> {
      const searched = await alike
      if (searched === undefined) return undefined
      const shared = searched && (await renderUpdate(channel, update, { untouched: follows, unfiltered: true }))
      // The owner of the channel may have left.
      return shared || new PerChannel<Reader>(one => renderUpdate(one, update, { untouched: follows }))
    }
    return { follows, alike, frame: render() }
  }

  function renderingOf(
    { owner, follows }: Relations,
    channel: Channel<Reader>,
    update: FeedUpdate,
  ): SharedRendering | undefined {
    if (original === null || authors.includes(owner)) return undefined
    if (!news && !interactions.peek(owner, original)) return undefined
    let followed = 0
    for (let at = 0; at < authors.length; at += 1) if (follows.has(authors[at] ?? owner)) followed |= 1 << at
    return (renderings[followed] ??= makeRendering(
      new Set(authors.filter(author => follows.has(author))),
      channel,
      update,
    ))
  }

  return (channel: Channel<Reader>, { name, feed }: WatchedFeed, update: FeedUpdate): Input | undefined => {
    const { owner } = name
    if (update.event === 'delete') return (deletion ??= { event: 'delete', payload: update.status })
    const filter = isLive ? filters.peek(owner) : undefined
    const rendering = filter && feed && renderingOf(feed.relations, channel, update)
    if (!rendering || filter.isEmpty) return rendering?.frame
    return rendering.alike.then(async searched =>
      searched && (await runInTimeSlices(filter.match(searched.text, searched.ids))) !== '[]'
        ? renderUpdate(channel, update, { untouched: rendering.follows })
        : rendering.frame,
    )
  }
}
