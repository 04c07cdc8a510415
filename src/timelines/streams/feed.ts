import { feeds, type FeedUpdate, type FeedName } from '../feeds/index.ts'
import type { LoggedEvent } from '../../platform/events/index.ts'
import type { Id } from '../../core/id.ts'
import { relationships, blocksOrMutes } from '../../accounts/relationships/index.ts'
import type { Services } from '../../platform/services.ts'
import { factsOf } from '../../statuses/index.ts'
import type { Channel, Delivery, Rendered, Route } from '../../platform/streaming/index.ts'
import type { Reader } from './reader.ts'
import { renderFor } from './render.ts'
import { optionsFor, shareFrames } from './share.ts'

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
  const related = relationships(services)
  // Feeds are to be asked in the order of the log; rendering may overlap.
  let asked: Promise<unknown> = Promise.resolve()

  /** What a feed tells of the event, once it has been read. */
  function decideLater(event: LoggedEvent, names: readonly FeedName[]): Promise<readonly FeedUpdate[]>[] {
    const before = asked
    const decisions = names.map(name => before.then(() => homes.decide(event, name)))
    if (names.length > 0) asked = Promise.allSettled(decisions)
    return decisions
  }

  async function announce(
    event: LoggedEvent,
    name: FeedName,
    channel: Channel<Reader>,
    decision: readonly FeedUpdate[] | Promise<readonly FeedUpdate[]>,
    isLive: boolean,
  ): Promise<Rendered<Reader>> {
    const announcements = await decision
    if (announcements.length === 0 && name.kind === 'home' && mentionedIn(event).includes(name.owner)) {
      return announceMention(event, name.owner, channel)
    }
    const options = isLive ? optionsFor(services, event, name.owner) : {}
    const frames = await Promise.all(
      announcements.map(async ({ event: named, status }) =>
        named === 'delete' ? { event: named, payload: status } : renderFor(services, channel, named, status, options),
      ),
    )
    return frames.filter(frame => frame !== undefined)
  }

  /** For those whose token opens notifications. */
  async function announceMention(event: LoggedEvent, account: Id, channel: Channel<Reader>): Promise<Rendered<Reader>> {
    const { status_id: status, actor_id: author } = event
    if (status === null || author === null) return undefined
    if (blocksOrMutes(await related.get(account), author, Date.now())) return undefined
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
    const deliveries: Delivery<Reader>[] = []
    const share = shareFrames(services, event, isLive)
    const mentioned = mentionedIn(event)
    const undecided: [Channel<Reader>, FeedName][] = []
    for (const [channel, name] of told) {
      const decision = homes.decideNow(event, name)
      if (!decision) undecided.push([channel, name])
      else if (decision.length > 0 || mentioned.length > 0) {
        const [only] = decision
        const shared = only && decision.length === 1 ? share(channel, name, only) : undefined
        deliveries.push({ channel, frame: shared ?? announce(event, name, channel, decision, isLive) })
      }
    }
    const decisions = decideLater(
      event,
      undecided.map(([, name]) => name),
    )
    for (const [at, [channel, name]] of undecided.entries()) {
      const decision = decisions[at]
      if (decision) deliveries.push({ channel, frame: announce(event, name, channel, decision, isLive) })
    }
    for (const account of mentioned) {
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

/** For readers of `user` whose token opens notifications. */
export const ifNotifications = (reader: Reader): string | undefined => (reader.notifications ? '' : undefined)
