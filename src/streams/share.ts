import { accountFragments } from '../accounts/index.ts'
import type { LoggedEvent } from '../events/index.ts'
import type { Announcement, FeedName } from '../feeds/index.ts'
import { viewerFilters } from '../filters/index.ts'
import type { Id } from '../id.ts'
import { relations } from '../relations/index.ts'
import type { Services } from '../services.ts'
import { factsOf, isAlikeForFollowers, searchText, statusFragments } from '../statuses/index.ts'
import { Individually, type Channel, type Frame, type Rendered } from '../streaming/index.ts'
import type { Reader } from './reader.ts'
import { renderFor, viewerOf } from './render.ts'

/** A frame, or that it is to be rendered for each channel by itself. */
type Shared = Rendered<Reader> | Individually<Reader>

interface News {
  readonly frame: Frame<Reader>
  /** What keywords of filters are searched in. */
  readonly text: () => string
}

/** Whether nobody can have done anything with what the event tells of. A reply may be part of what somebody has muted. */
export function isNews(event: LoggedEvent): boolean {
  const facts = event.kind === 'status.created' ? factsOf(event) : undefined
  return facts !== undefined && facts.reblog_of_id === null && facts.in_reply_to_id === null
}

/** Whether it is news by somebody whom the owner of a feed follows, or of the owner. */
export function isFresh(services: Services, event: LoggedEvent, owner: Id): boolean {
  const { actor_id: author } = event
  if (author === null || !isNews(event)) return false
  return author === owner || relations(services).peek(owner)?.follows.has(author) === true
}

/**
 * The frame by which an event becomes known in many feeds, made once: a thousand followers are told of a status by the same bytes. Gives for
 * each feed what it is, or undefined when it is not one that is shared.
 */
export function shareFrame(services: Services, event: LoggedEvent, isLive: boolean) {
  const filters = viewerFilters(services)
  let deletion: Frame<Reader> | undefined
  let news: Promise<News | Individually<Reader> | undefined> | undefined
  let unfiltered: Promise<Shared> | undefined

  return (
    channel: Channel<Reader>,
    { owner }: FeedName,
    [announcement]: readonly Announcement[],
  ): Frame<Reader> | Promise<Shared> | undefined => {
    if (!announcement) return undefined
    const { event: named, status } = announcement
    if (named === 'delete') return (deletion ??= { event: named, payload: status })
    if (!isLive || event.actor_id === owner || !isFresh(services, event, owner)) return undefined
    const own = filters.peek(owner)
    if (!own) return undefined
    news ??= renderNews(services, channel, status)
    if (own.isEmpty) return (unfiltered ??= news.then(made => (made && 'frame' in made ? made.frame : made)))
    return news.then(made => {
      if (!made || !('frame' in made)) return made
      return own.match(made.text, [status]) === '[]' ? made.frame : renderFresh(services, channel, status)
    })
  }
}

const renderFresh = (services: Services, channel: Channel<Reader>, status: Id): Promise<Frame<Reader> | undefined> =>
  renderFor(services, channel, 'update', status, { freshOfFollowed: true })

/**
 * A new status as all who follow its author are shown it, when it is the same for all.
 * @param channel that of one of them
 */
async function renderNews(
  services: Services,
  channel: Channel<Reader>,
  status: Id,
): Promise<News | Individually<Reader> | undefined> {
  const individually = new Individually<Reader>(one => renderFresh(services, one, status))
  const fragment = await statusFragments(services).one(status)
  if (!fragment) return undefined
  const [author, viewer] = await Promise.all([
    accountFragments(services).one(fragment.accountId),
    viewerOf(services, channel),
  ])
  // Where somebody has moved to is an account of its own, which not all follow.
  if (!author || author.movedTo !== null || !viewer || !isAlikeForFollowers(fragment)) return individually
  const options = { freshOfFollowed: true, unfiltered: true }
  const rendered = (await renderFor(services, channel, 'update', status, options)) ?? individually
  return rendered instanceof Individually ? rendered : { frame: rendered, text: () => searchText(fragment) }
}
