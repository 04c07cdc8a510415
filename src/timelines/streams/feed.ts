import { feeds, isHiding, type Feeds, type FeedUpdate, type FeedName, type WatchedFeed } from '../feeds/index.ts'
import type { LoggedEvent } from '../../platform/events/index.ts'
import type { Id } from '../../core/id.ts'
import { c, query } from '../../platform/database/index.ts'
import type { Services } from '../../platform/services.ts'
import {
  PerChannel,
  type Channel,
  type Delivery,
  type OpenChannels,
  type Rendered,
  type Route,
} from '../../platform/streaming/index.ts'
import type { Reader } from './reader.ts'
import { renderFor } from './render.ts'
import { optionsFor, shareFrames } from './share.ts'

const notifiedByMention = query(
  'timelines/streams/notified_by_mention',
  { author: c.id, status: c.id, mentioned: c.ids },
  { account_id: c.id },
)

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
  // Feeds must be asked in the order of the log; rendering may overlap.
  let decided: Promise<unknown> = Promise.resolve()

  /** The feeds' decisions on the event, after those on earlier events. */
  function decideLater(event: LoggedEvent, names: readonly FeedName[]): Promise<readonly FeedUpdate[]>[] {
    const before = decided
    const decisions = names.map(name => before.then(() => homes.decide(event, name)))
    if (names.length > 0) decided = Promise.allSettled(decisions)
    return decisions
  }

  /** Renders what a feed decides on the event, or else the mention of its owner. */
  function decisionRenderer(event: LoggedEvent, isLive: boolean, renderMention: RenderMention) {
    return async (
      name: FeedName,
      channel: Channel<Reader>,
      decision: readonly FeedUpdate[] | Promise<readonly FeedUpdate[]>,
    ): Promise<Rendered<Reader>> => {
      const updates = await decision
      if (updates.length === 0 && name.kind === 'home' && mentionedIn(event).includes(name.owner)) {
        return renderMention(name.owner, channel)
      }
      const options = isLive ? optionsFor(services, event, name.owner) : {}
      const frames = await Promise.all(
        updates.map(async ({ event: named, status }) =>
          named === 'delete' ? { event: named, payload: status } : renderFor(services, channel, named, status, options),
        ),
      )
      return frames.filter(frame => frame !== undefined)
    }
  }

  return (event, channels, isLive) => {
    const hasFeeds = channels.has(USER) || channels.has(LIST)
    if (!hasFeeds && !channels.has(USER_NOTIFICATION)) return []
    if (isLive) homes.returned(event)
    const concerned: [Channel<Reader>, WatchedFeed][] = []
    for (const watched of hasFeeds ? homes.concerned(event) : []) {
      const channel = channelOf(channels, watched.name)
      if (channel) concerned.push([channel, watched])
    }
    const hasOwn = ofChannels(concerned)
    const deliveries: Delivery<Reader>[] =
      hasFeeds && isLive && isHiding(event) ? hideElsewhere(homes, event, channels, hasOwn) : []
    const share = shareFrames(services, event, isLive)
    const mentioned = mentionedIn(event)
    const renderMention = mentionRenderer(services, event, channels)
    const renderLater = decisionRenderer(event, isLive, renderMention)
    const undecided: [Channel<Reader>, FeedName][] = []
    const decideNow = homes.decideNow(event)
    for (const [channel, watched] of concerned) {
      const { name } = watched
      const decision = decideNow(watched)
      if (!decision) undecided.push([channel, name])
      else if (decision.length > 0 || mentioned.length > 0) {
        const [only] = decision
        const shared = only && decision.length === 1 ? share(channel, watched, only) : undefined
        deliveries.push({ channel, frame: shared ?? renderLater(name, channel, decision) })
      }
    }
    const decisions = decideLater(
      event,
      undecided.map(([, name]) => name),
    )
    for (const [at, [channel, name]] of undecided.entries()) {
      const decision = decisions[at]
      if (decision) deliveries.push({ channel, frame: renderLater(name, channel, decision) })
    }
    for (const account of mentioned) {
      for (const channel of [channels.get(USER, account), channels.get(USER_NOTIFICATION, account)]) {
        if (channel && !hasOwn(channel)) deliveries.push({ channel, frame: renderMention(account, channel) })
      }
    }
    return deliveries
  }
}

/** Whether a channel is one of these, which few events ask. */
function ofChannels(concerned: readonly (readonly [Channel<Reader>, unknown])[]) {
  let all: ReadonlySet<Channel<Reader>> | undefined
  return (channel: Channel<Reader>): boolean => (all ??= new Set(concerned.map(([one]) => one))).has(channel)
}

const channelOf = (channels: OpenChannels<Reader>, name: FeedName): Channel<Reader> | undefined =>
  name.kind === 'home' ? channels.get(USER, name.owner) : channels.get(LIST, name.list)

type RenderMention = (account: Id, channel: Channel<Reader>) => Promise<Rendered<Reader>>

/**
 * Renders an edit for an account that the status mentions, when a notification of the mention would
 * reach it: by the rules for notifications as they are now, also when it cleared the notification.
 * One query asks them for all mentioned accounts with an open stream, when the first is rendered.
 */
function mentionRenderer(services: Services, event: LoggedEvent, channels: OpenChannels<Reader>): RenderMention {
  const { status_id: status, actor_id: author } = event
  let notified: Promise<ReadonlySet<Id>> | undefined

  async function findNotified(): Promise<ReadonlySet<Id>> {
    const mentioned = mentionedIn(event).filter(
      account => channels.get(USER, account) ?? channels.get(USER_NOTIFICATION, account),
    )
    if (status === null || author === null || mentioned.length === 0) return new Set()
    const found = await services.database.run(notifiedByMention, { author, status, mentioned })
    return new Set(found.map(({ account_id: account }) => account))
  }

  return async (account, channel) => {
    if (status === null || !(await (notified ??= findNotified())).has(account)) return undefined
    const frame = await renderFor(services, channel, 'status.update', status)
    // For readers whose token has the scope for notifications.
    return frame && { ...frame, endFor: ifNotifications }
  }
}

/**
 * The deletes of a hidden account's statuses on all streams whose feeds do not follow it. They
 * are found for all together.
 */
function hideElsewhere(
  homes: Feeds,
  event: LoggedEvent,
  channels: OpenChannels<Reader>,
  hasOwn: (channel: Channel<Reader>) => boolean,
): Delivery<Reader>[] {
  const others = [...channels.all(USER), ...channels.all(LIST)].filter(channel => !hasOwn(channel))
  const finding = others.length > 0 ? homes.departedElsewhere(event) : undefined
  if (!finding) return []
  const frame = finding.then(departed => {
    const statuses = new Map(departed.map(one => [channelOf(channels, one.name), one.statuses]))
    return statuses.size === 0
      ? undefined
      : new PerChannel<Reader>(async channel =>
          (statuses.get(channel) ?? []).map(status => ({ event: 'delete', payload: status })),
        )
  })
  return others.map(channel => ({ channel, frame }))
}

/** The accounts that an edited status mentions; none for other events. */
const mentionedIn = (event: LoggedEvent): readonly Id[] =>
  event.kind === 'status.updated' && event.data.reason === undefined ? event.data.mentions : NONE

const NONE: readonly never[] = []

/** For readers of `user` whose token has the scope for notifications. */
export const ifNotifications = (reader: Reader): string | undefined => (reader.notifications ? '' : undefined)
