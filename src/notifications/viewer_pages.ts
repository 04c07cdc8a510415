import { onEvents, type EventHandlers, type EventOf, type StatusEvent } from '../platform/events/index.ts'
import type { Id } from '../core/id.ts'
import { createPinnedCache } from '../platform/cache/pinned_cache.ts'
import { shareOf } from '../platform/cache/shares.ts'
import { perServer, type Services } from '../platform/services.ts'
import { changesVisibility } from '../statuses/index.ts'
import type { GroupPage } from './group_page.ts'
import type { NotificationPage } from './page.ts'

/** A cached page: the rows from which it is rendered. */
export interface KeptPage {
  readonly sizeBytes: number
}

/** A rendered page. */
export interface RenderedPage {
  /** Whether nothing of the page was left out because it was deleted or hidden. */
  readonly isComplete: boolean
}

/**
 * Pages of notifications that people have read, until an event concerns them. Every cause of a
 * notification, and everything that takes one away, logs an event that names the recipient; so do
 * the follows, blocks and mentions that decide which statuses the recipient may see. Only statuses
 * that are deleted or hidden name nobody: a page is not used again when one of its statuses can not
 * be rendered.
 */
export interface ViewerPages<P extends KeptPage> {
  /** Renders the page under the key, which is loaded if it is not in memory. */
  render<R extends RenderedPage>(
    viewer: Id,
    key: string,
    load: () => Promise<P>,
    render: (page: P) => Promise<R>,
  ): Promise<R>
}

interface Entry {
  readonly single: Map<string, NotificationPage>
  readonly grouped: Map<string, GroupPage>
}

/** The number of pages cached for each viewer: the first one and a few older ones. */
const PAGES = 4
const ENTRY_BYTES = 500
const PAGE_BYTES = 200

function weighEntry({ single, grouped }: Entry): number {
  let bytes = ENTRY_BYTES
  for (const pages of [single, grouped])
    for (const [key, { sizeBytes }] of pages) bytes += PAGE_BYTES + key.length + sizeBytes
  return bytes
}

export interface AllViewerPages {
  readonly single: ViewerPages<NotificationPage>
  readonly grouped: ViewerPages<GroupPage>
}

export const viewerPages: (services: Services) => AllViewerPages = perServer(services => {
  const { config, events, metrics } = services
  const create = () => createPinnedCache<Entry>({ limitBytes: shareOf('notifications', config), weigh: weighEntry })
  let entries = create()
  let [hits, misses] = [0, 0]
  metrics.cache('notifications', () => ({ ...entries.statistics(), hits, misses }))

  function pagesOf<P extends KeptPage>(choose: (entry: Entry) => Map<string, P>): ViewerPages<P> {
    return {
      async render(viewer, key, load, render) {
        let entry = entries.get(viewer)
        const kept = entry && choose(entry).get(key)
        if (kept) {
          const rendered = await render(kept)
          if (rendered.isComplete) {
            hits += 1
            return rendered
          }
          entry = entries.peek(viewer)
        }
        misses += 1
        if (!entry) entries.set(viewer, (entry = { single: new Map(), grouped: new Map() }))
        const page = await load()
        const rendered = await render(page)
        // An event in the meantime has removed the entry: this page may be older than the change.
        if (entries.peek(viewer) !== entry) return rendered
        const pages = choose(entry)
        if (rendered.isComplete) store(pages, key, page)
        else pages.delete(key)
        entries.weigh(viewer)
        return rendered
      },
    }
  }

  const subscription = onEvents(
    events.invalidations$,
    handlersOf(
      viewer => entries.delete(viewer),
      () => (entries = create()),
    ),
  )
  services.onClose(() => subscription.unsubscribe())
  return { single: pagesOf(entry => entry.single), grouped: pagesOf(entry => entry.grouped) }
})

/** Stores a page and evicts the oldest ones. */
function store<P>(pages: Map<string, P>, key: string, page: P): void {
  pages.delete(key)
  pages.set(key, page)
  for (const oldest of pages.keys()) {
    if (pages.size <= PAGES) return
    pages.delete(oldest)
  }
}

function handlersOf(drop: (viewer: Id) => void, clear: () => void): EventHandlers {
  const ofAccount = (event: { readonly account_id: Id }): void => drop(event.account_id)
  // Accounts that are now mentioned may see it, perhaps again.
  const ofMentioned = ({ data }: StatusEvent): void => {
    for (const viewer of data.mentions) drop(viewer)
    for (const viewer of data.silent_mentions) drop(viewer)
  }
  const ofStanding = (event: EventOf<'account.changed' | 'user.changed'>): void => {
    if (changesVisibility(event)) clear()
  }
  return {
    'notification.created': ofAccount,
    'notifications.changed': ofAccount,
    'relationship.changed': event => {
      drop(event.actor_id)
      drop(event.account_id)
    },
    'status.updated': ofMentioned,
    // The notification about a boost goes with the boost.
    'status.deleted': ({ data }) => {
      if (data.reblog_account_id !== null) drop(data.reblog_account_id)
    },
    'account.changed': ofStanding,
    'user.changed': ofStanding,
    'account.deleted': clear,
    'caches.cleared': clear,
  }
}
