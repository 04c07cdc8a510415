import { renderPublicAnnouncement, renderReactionEvent } from '../../instance/announcements/index.ts'
import type { LoggedEvent } from '../../platform/events/index.ts'
import type { Services } from '../../platform/services.ts'
import type { Frame, Rendered, Route } from '../../platform/streaming/index.ts'
import { USER } from './feed.ts'
import type { Reader } from './reader.ts'

/** A frame for every `user` stream, rendered once. */
function toAll(make: (event: LoggedEvent) => Frame<Reader> | Promise<Rendered<Reader>> | undefined): Route<Reader> {
  return (event, channels) => {
    const frame = channels.has(USER) ? make(event) : undefined
    return frame ? Array.from(channels.all(USER), channel => ({ channel, frame })) : []
  }
}

/** An announcement was published, edited or withdrawn, or its reactions changed. */
export function announcementRoutes(services: Services): Readonly<Record<string, Route<Reader>>> {
  return {
    'announcement.published': toAll(async ({ object_id: id }) => {
      const rendered = id === null ? undefined : await renderPublicAnnouncement(services, id)
      return rendered && { event: 'announcement', payload: rendered.text }
    }),
    'announcement.reaction': toAll(event => ({
      event: 'announcement.reaction',
      payload: renderReactionEvent(services, event).text,
    })),
    'announcement.deleted': toAll(({ object_id: id }) =>
      id === null ? undefined : { event: 'announcement.delete', payload: id },
    ),
  }
}
