import type { LoggedEvent } from '../../platform/events/index.ts'
import type { FeedUpdate, FeedName } from '../feeds/index.ts'
import { viewerFilters } from '../../statuses/filters/index.ts'
import type { Id } from '../../core/id.ts'
import { relationships } from '../../accounts/relationships/index.ts'
import type { Services } from '../../platform/services.ts'
import {
  factsOf,
  findAlike,
  interactionIndex,
  type RenderOptions,
  type Searched,
  type StatusFacts,
} from '../../statuses/index.ts'
import { PerChannel, type Channel, type Frame, type Rendered } from '../../platform/streaming/index.ts'
import type { Reader } from './reader.ts'
import { renderFor } from './render.ts'

/** A frame for one channel. */
type Given = Frame<Reader> | Promise<Rendered<Reader> | PerChannel<Reader>>

/** What is told of a status to all who follow the same of its authors and did nothing with it. */
interface Look {
  readonly follows: ReadonlySet<Id>
  /** False: it is not shown alike to them after all; undefined: it is gone. */
  readonly alike: Promise<Searched | false | undefined>
  readonly frame: Promise<Frame<Reader> | PerChannel<Reader> | undefined>
}

/** Whether nobody can have done anything with what the event tells of. A reply may be part of what somebody has muted. */
const isNews = (event: LoggedEvent, facts: StatusFacts): boolean =>
  event.kind === 'status.created' && facts.reblog_of_id === null && facts.in_reply_to_id === null

/**
 * How an event that comes now is rendered for the owner of a feed that takes it: who may see it, since feeds follow what decides on that. Of
 * past events nobody knows who may see them by now.
 */
export function optionsFor(services: Services, event: LoggedEvent, owner: Id): RenderOptions {
  const facts = factsOf(event)
  const { actor_id: author } = event
  if (!facts || author === null || !isNews(event, facts)) return { visible: true }
  const follows = author === owner || relationships(services).peek(owner)?.follows.has(author) === true
  return { untouched: new Set(follows ? [author] : []) }
}

/**
 * The frames by which an event becomes known in many feeds, each made once: a thousand followers are told of a status by the same bytes,
 * those who have done something with it by their own. Gives what a feed is told, or undefined when that is for it alone.
 */
export function shareFrames(services: Services, event: LoggedEvent, isLive: boolean) {
  const filters = viewerFilters(services)
  const related = relationships(services)
  const unknown = interactionIndex(services)
  const facts = factsOf(event)
  const original = facts?.reblog_of_id ?? event.status_id
  const authors = [event.actor_id, facts?.reblog_account_id ?? null].filter(author => author !== null)
  const news = facts !== undefined && isNews(event, facts)
  const looks = new Map<string, Look>()
  let deletion: Frame<Reader> | undefined

  const tell = (
    channel: Channel<Reader>,
    { event: named, status }: FeedUpdate,
    options: RenderOptions,
  ): Promise<Frame<Reader> | undefined> => renderFor(services, channel, named, status, options)

  /** @param channel that of somebody to whom it looks like this */
  function makeLook(follows: ReadonlySet<Id>, channel: Channel<Reader>, announcement: FeedUpdate): Look {
    const alike = findAlike(services, announcement.status)
    async function render(): Promise<Awaited<Look['frame']>> {
      const searched = await alike
      if (searched === undefined) return undefined
      const shared = searched && (await tell(channel, announcement, { untouched: follows, unfiltered: true }))
      // Whose channel it was may have left.
      return shared || new PerChannel<Reader>(one => tell(one, announcement, { untouched: follows }))
    }
    return { follows, alike, frame: render() }
  }

  function lookOf(owner: Id, channel: Channel<Reader>, announcement: FeedUpdate): Look | undefined {
    const own = related.peek(owner)
    if (!own || original === null || authors.includes(owner)) return undefined
    if (!news && !unknown.peek(owner, original)) return undefined
    const followed = authors.filter(author => own.follows.has(author))
    const key = followed.join()
    let look = looks.get(key)
    if (!look) looks.set(key, (look = makeLook(new Set(followed), channel, announcement)))
    return look
  }

  return (channel: Channel<Reader>, { owner }: FeedName, announcement: FeedUpdate): Given | undefined => {
    if (announcement.event === 'delete') return (deletion ??= { event: 'delete', payload: announcement.status })
    const filter = isLive ? filters.peek(owner) : undefined
    const look = filter && lookOf(owner, channel, announcement)
    if (!look || filter.isEmpty) return look?.frame
    return look.alike.then(searched =>
      searched && filter.match(searched.text, searched.ids) !== '[]'
        ? tell(channel, announcement, { untouched: look.follows })
        : look.frame,
    )
  }
}
