import { renderPublicAnnouncement, renderReactionEvent } from '../../instance/announcements/index.ts'
import type { EventKind, EventOf } from '../../platform/events/index.ts'
import type { Services } from '../../platform/services.ts'
import type { Frame, Rendered, Route, Routes } from '../../platform/streaming/index.ts'
import { USER } from './feed.ts'
import type { Reader } from './reader.ts'

/** A frame for every `user` stream, rendered once. */
function toAll<K extends EventKind>(
  make: (event: EventOf<K>) => Frame<Reader> | Promise<Rendered<Reader>>,
): Route<Reader, K> {
  return (event, channels) => {
    const frame = channels.has(USER) ? make(event) : undefined
    return frame ? Array.from(channels.all(USER), channel => ({ channel, frame })) : []
  }
}

/** An announcement was published, edited or withdrawn, or its reactions changed. */
export function announcementRoutes(services: Services): Routes<Reader>['routes'] {
  return {
    'announcement.published': toAll(async ({ object_id: id }) => {
      const rendered = await renderPublicAnnouncement(services, id)
      return rendered && { event: 'announcement', payload: rendered.text }
    }),
    'announcement.reaction': toAll(event => ({
      event: 'announcement.reaction',
      payload: renderReactionEvent(services, event).text,
    })),
    'announcement.deleted': toAll(({ object_id: id }) => ({ event: 'announcement.delete', payload: id })),
  }
}
