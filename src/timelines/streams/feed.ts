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

/** Families of streams of one account; their channels are named by account ids. */
export const USER = 'user'
export const USER_NOTIFICATION = 'user:notification'
export const DIRECT = 'direct'
/** The family of list streams; its channels are named by list ids. */
export const LIST = 'list'

/**
 * The changes of feeds, on `user` and `list` streams; and edits of statuses, on the
 * `user:notification` streams of mentioned accounts and on their `user` streams when their home
 * feed does not have the status.
 */
export function feedRoute(services: Services): Route<Reader> {
  const homes = feeds(services)
  const relationshipCache = relationships(services)
  // Feeds must be asked in the order of the log; rendering may overlap.
  let decided: Promise<unknown> = Promise.resolve()

  /** The feeds' decisions on the event, after those on earlier events. */
  function decideLater(event: LoggedEvent, names: readonly FeedName[]): Promise<readonly FeedUpdate[]>[] {
    const before = decided
    const decisions = names.map(name => before.then(() => homes.decide(event, name)))
    if (names.length > 0) decided = Promise.allSettled(decisions)
    return decisions
  }

  async function renderDecision(
    event: LoggedEvent,
    name: FeedName,
    channel: Channel<Reader>,
    decision: readonly FeedUpdate[] | Promise<readonly FeedUpdate[]>,
    isLive: boolean,
  ): Promise<Rendered<Reader>> {
    const updates = await decision
    if (updates.length === 0 && name.kind === 'home' && mentionedIn(event).includes(name.owner)) {
      return renderMention(event, name.owner, channel)
    }
    const options = isLive ? optionsFor(services, event, name.owner) : {}
    const frames = await Promise.all(
      updates.map(async ({ event: named, status }) =>
        named === 'delete' ? { event: named, payload: status } : renderFor(services, channel, named, status, options),
      ),
    )
    return frames.filter(frame => frame !== undefined)
  }

  /** For readers whose token has the scope for notifications. */
  async function renderMention(event: LoggedEvent, account: Id, channel: Channel<Reader>): Promise<Rendered<Reader>> {
    const { status_id: status, actor_id: author } = event
    if (status === null || author === null) return undefined
    if (blocksOrMutes(await relationshipCache.get(account), author, Date.now())) return undefined
    const frame = await renderFor(services, channel, 'status.update', status)
    return frame && { ...frame, endFor: ifNotifications }
  }

  return (event, channels, isLive) => {
    const hasFeeds = channels.has(USER) || channels.has(LIST)
    if (!hasFeeds && !channels.has(USER_NOTIFICATION)) return []
    const concerned = new Map<Channel<Reader>, FeedName>()
    for (const name of hasFeeds ? homes.concerned(event) : []) {
      const channel = name.kind === 'home' ? channels.get(USER, name.owner) : channels.get(LIST, name.list)
      if (channel) concerned.set(channel, name)
    }
    const deliveries: Delivery<Reader>[] = []
    const share = shareFrames(services, event, isLive)
    const mentioned = mentionedIn(event)
    const undecided: [Channel<Reader>, FeedName][] = []
    for (const [channel, name] of concerned) {
      const decision = homes.decideNow(event, name)
      if (!decision) undecided.push([channel, name])
      else if (decision.length > 0 || mentioned.length > 0) {
        const [only] = decision
        const shared = only && decision.length === 1 ? share(channel, name, only) : undefined
        deliveries.push({ channel, frame: shared ?? renderDecision(event, name, channel, decision, isLive) })
      }
    }
    const decisions = decideLater(
      event,
      undecided.map(([, name]) => name),
    )
    for (const [at, [channel, name]] of undecided.entries()) {
      const decision = decisions[at]
      if (decision) deliveries.push({ channel, frame: renderDecision(event, name, channel, decision, isLive) })
    }
    for (const account of mentioned) {
      for (const channel of [channels.get(USER, account), channels.get(USER_NOTIFICATION, account)]) {
        if (channel && !concerned.has(channel))
          deliveries.push({ channel, frame: renderMention(event, account, channel) })
      }
    }
    return deliveries
  }
}

/** The accounts that an edited status mentions; none for other events. */
const mentionedIn = (event: LoggedEvent): readonly Id[] =>
  event.kind === 'status.updated' ? (factsOf(event)?.mentions ?? []) : []

/** For readers of `user` whose token has the scope for notifications. */
export const ifNotifications = (reader: Reader): string | undefined => (reader.notifications ? '' : undefined)
