import { feeds, type Announcement, type FeedName } from '../feeds/index.ts'
import type { LoggedEvent } from '../events/index.ts'
import type { Id } from '../id.ts'
import { relations, shuns } from '../relations/index.ts'
import type { Services } from '../services.ts'
import { factsOf, renderStatus, type RenderOptions } from '../statuses/index.ts'
import type { Channel, Delivery, Frame, Rendered, Route } from '../streaming/index.ts'
import type { Reader } from './reader.ts'

/** Families of streams that are one account's: their names are ids of accounts. */
export const USER = 'user'
export const USER_NOTIFICATION = 'user:notification'
export const DIRECT = 'direct'
/** The family of list streams; their names are ids of lists. */
export const LIST = 'list'

/**
 * What enters and leaves feeds: the `user` and `list` streams; and edits of statuses that mention somebody, on `user:notification`
 * and on the `user` streams of those whose home does not tell of them (api/streaming.md, section 5).
 */
export function feedRoute(services: Services): Route<Reader> {
  const homes = feeds(services)
  const related = relations(services)
  // Feeds are to be asked in the order of the log; rendering may overlap.
  let asked: Promise<unknown> = Promise.resolve()

  /** What each of these feeds tells of the event. */
  function decide(event: LoggedEvent, names: readonly FeedName[]): Promise<Announcement[]>[] {
    const before = asked
    const decisions = names.map(name => before.then(() => homes.decide(event, name)))
    if (names.length > 0) asked = Promise.allSettled(decisions)
    return decisions
  }

  async function announce(
    event: LoggedEvent,
    name: FeedName,
    channel: Channel<Reader>,
    decision: Promise<Announcement[]>,
    isLive: boolean,
  ): Promise<Rendered<Reader>> {
    const announcements = await decision
    if (announcements.length === 0 && name.kind === 'home' && mentionedIn(event).includes(name.owner)) {
      return announceMention(event, name.owner, channel)
    }
    const options = { freshOfFollowed: isLive && isFresh(event, name.owner) }
    const frames = await Promise.all(
      announcements.map(async ({ event: named, status }) =>
        named === 'delete' ? { event: named, payload: status } : renderFor(services, channel, named, status, options),
      ),
    )
    return frames.filter(frame => frame !== undefined)
  }

  /** Whether nobody can have done anything yet with what is told of, so that rendering it for a thousand people takes no query. */
  function isFresh(event: LoggedEvent, owner: Id): boolean {
    const facts = event.kind === 'status.created' ? factsOf(event) : undefined
    const { actor_id: author } = event
    if (!facts || author === null || facts.reblog_of_id !== null || facts.in_reply_to_id !== null) return false
    return author === owner || related.peek(owner)?.follows.has(author) === true
  }

  /** For those whose token opens notifications. */
  async function announceMention(event: LoggedEvent, account: Id, channel: Channel<Reader>): Promise<Rendered<Reader>> {
    const { status_id: status, actor_id: author } = event
    if (status === null || author === null) return undefined
    if (shuns(await related.of(account), author, Date.now())) return undefined
    const frame = await renderFor(services, channel, 'status.update', status)
    return frame && { ...frame, endFor: ifNotifications }
  }

  return (event, channels, isLive) => {
    const hasFeeds = channels.has(USER) || channels.has(LIST)
    if (!hasFeeds && !channels.has(USER_NOTIFICATION)) return []
    const told = new Map<Channel<Reader>, FeedName>()
    for (const name of hasFeeds ? homes.concerned(event) : []) {
      const channel = name.kind === 'home' ? channels.get(USER, name.owner) : channels.get(LIST, name.list)
      if (channel) told.set(channel, name)
    }
    const decisions = decide(event, [...told.values()])
    const deliveries: Delivery<Reader>[] = []
    for (const [channel, name] of told) {
      const decision = decisions[deliveries.length]
      if (decision) deliveries.push({ channel, frame: announce(event, name, channel, decision, isLive) })
    }
    for (const account of mentionedIn(event)) {
      for (const channel of [channels.get(USER, account), channels.get(USER_NOTIFICATION, account)]) {
        if (channel && !told.has(channel)) deliveries.push({ channel, frame: announceMention(event, account, channel) })
      }
    }
    return deliveries
  }
}

/** Whom an edited status mentions; of other events nobody. */
const mentionedIn = (event: LoggedEvent): readonly Id[] =>
  event.kind === 'status.updated' ? (factsOf(event)?.mentions ?? []) : []

/** A status as the one whose channel it is sees it. */
async function renderFor(
  services: Services,
  channel: Channel<Reader>,
  event: string,
  status: Id,
  options: RenderOptions = {},
): Promise<Frame<Reader> | undefined> {
  const viewer = await viewerOf(services, channel)
  const rendered = viewer && (await renderStatus(services, viewer, status, options))
  return rendered && { event, payload: rendered.text }
}

/** Whose channel it is, as of now; undefined when the last reader has left. */
export async function viewerOf(services: Services, channel: Channel<Reader>) {
  const reader = channel.anyReader()
  return reader && services.tokens.viewer(reader.userId)
}

/** For readers of `user` whose token opens notifications. */
export const ifNotifications = (reader: Reader): string | undefined => (reader.notifications ? '' : undefined)
