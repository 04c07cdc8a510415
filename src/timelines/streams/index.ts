import { perServer, type Services } from '../../platform/services.ts'
import { openStreaming, type Route, type Streaming } from '../../platform/streaming/index.ts'
import { announcementRoutes } from './announcement.ts'
import { feedRoute } from './feed.ts'
import { onlineViewers } from './online_viewers.ts'
import { conversationRoute, filtersRoute, listRoute, mergedRoute, notificationRoute } from './personal.ts'
import { publicRoute } from './public.ts'
import type { Reader } from './reader.ts'
import { streamTypes } from './types.ts'

/** The streams of a started server, carried by platform/streaming. */
export const streams: (services: Services) => Streaming = perServer(services => {
  const toPublic = publicRoute(services)
  const toFeeds = feedRoute(services)
  const statuses: Route<Reader> = (event, channels, isLive) => [
    ...toPublic(event, channels, isLive),
    ...toFeeds(event, channels, isLive),
  ]
  return openStreaming<Reader>(services, {
    types: streamTypes(services),
    routes: {
      'status.created': statuses,
      'status.updated': statuses,
      'status.deleted': statuses,
      'relationship.changed': toFeeds,
      'account.changed': toFeeds,
      'notification.created': notificationRoute(services),
      'notifications.merged': mergedRoute,
      'filters.changed': filtersRoute,
      'conversation.changed': conversationRoute(services),
      'list.changed': listRoute,
      ...announcementRoutes(services),
    },
    refreshes: onlineViewers(services).refreshes,
    release: reader => reader.release(),
  })
})
