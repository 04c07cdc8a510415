import { accountFragments } from '../../accounts/index.ts'
import { renderConversation } from '../conversations/index.ts'
import type { EventOf } from '../../platform/events/index.ts'
import type { Id } from '../../core/id.ts'
import { pendingEmails } from '../../notifications/email/index.ts'
import { renderNotification } from '../../notifications/index.ts'
import type { Services } from '../../platform/services.ts'
import { statusFragments } from '../../statuses/index.ts'
import {
  StreamError,
  type Channel,
  type Delivery,
  type Frame,
  type OpenChannels,
  type Route,
} from '../../platform/streaming/index.ts'
import { DIRECT, ifNotifications, LIST, USER, USER_NOTIFICATION } from './feed.ts'
import type { Reader } from './reader.ts'
import { viewerOf } from './render.ts'

type Render = (channel: Channel<Reader>) => Promise<Frame<Reader> | undefined>

/** Frames for both streams that have notifications, rendered once. */
function toNotificationStreams(
  account: Id,
  channels: OpenChannels<Reader>,
  render: Render,
): readonly Delivery<Reader>[] {
  const open = [USER, USER_NOTIFICATION].flatMap(family => channels.get(family, account) ?? [])
  const [first] = open
  if (!first) return []
  const frame = render(first).then(made => made && { ...made, endFor: ifNotifications })
  return open.map(channel => ({ channel, frame }))
}

/**
 * Starts loading the data of a notification as far as the event names it; later callers wait for
 * the same load.
 */
function preload(services: Services, { actor_id: account, status_id: status }: EventOf<'notification.created'>): void {
  // Those callers receive the error too.
  const ignore = (): void => undefined
  accountFragments(services).one(account).catch(ignore)
  if (status !== null) statusFragments(services).one(status).catch(ignore)
}

/**
 * An unfiltered notification was created. An account that receives it on a stream gets no e-mail
 * about it.
 */
export function notificationRoute(services: Services): Route<Reader, 'notification.created'> {
  const emails = pendingEmails(services)
  return (event, channels, isLive) => {
    const { object_id: notification, data } = event
    if (data.filtered) return []
    const deliveries = toNotificationStreams(event.account_id, channels, async channel => {
      preload(services, event)
      const viewer = await viewerOf(services, channel)
      const rendered = viewer && (await renderNotification(services, viewer, notification))
      return rendered && { event: 'notification', payload: rendered.text }
    })
    if (isLive && deliveries.length > 0) emails.note(notification, data.type)
    return deliveries
  }
}

/** All accepted notification requests have been merged. */
export const mergedRoute: Route<Reader, 'notifications.merged'> = (event, channels) =>
  toNotificationStreams(event.account_id, channels, () =>
    Promise.resolve({ event: 'notifications_merged', payload: '1' }),
  )

/** A filter of the account changed. */
export const filtersRoute: Route<Reader, 'filters.changed'> = ({ account_id: account }, channels) => {
  const channel = channels.get(USER, account)
  return channel ? [{ channel, frame: { event: 'filters_changed', payload: undefined } }] : []
}

/** A direct conversation got or lost a status, or was read; a deleted one is not sent. */
export function conversationRoute(services: Services): Route<Reader, 'conversation.changed'> {
  return ({ account_id: account, object_id: conversation }, channels) => {
    const channel = channels.get(DIRECT, account)
    if (!channel) return []
    const render: Render = async () => {
      const viewer = await viewerOf(services, channel)
      const rendered = viewer && (await renderConversation(services, viewer, conversation))
      return rendered && { event: 'conversation', payload: rendered.text }
    }
    return [{ channel, frame: render(channel) }]
  }
}

/** The error for a list that the caller does not own, or no longer owns. */
export const NOT_THEIR_LIST = 'Not authorized to stream this list'

/** The stream of a list ends when the list is deleted. */
export const listRoute: Route<Reader, 'list.changed'> = ({ object_id: list, data }, channels) => {
  const channel = data.change === 'deleted' ? channels.get(LIST, list) : undefined
  return channel ? [{ channel, frame: new StreamError(401, NOT_THEIR_LIST) }] : []
}
