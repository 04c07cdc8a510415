import { Subject, type Observable } from 'rxjs'
import { onEvents, type LoggedEvent } from '../../platform/events/index.ts'
import type { Id } from '../../core/id.ts'
import { shareOf } from '../../platform/cache/shares.ts'
import { perServer, type Services } from '../../platform/services.ts'
import { accountsAffectedBy } from './changes.ts'
import { loadRelations } from './load.ts'
import { createPinnedCache } from '../../platform/cache/pinned_cache.ts'
import { weighRelations, type Relations } from './relations.ts'

/** The relationships of many accounts in memory; events that change them invalidate entries. */
export interface RelationshipCache {
  /**
   * The relationships after every change that this process has received; waits for a reload in
   * progress.
   */
  get(viewer: Id): Promise<Relations>
  /** The same synchronously, or undefined while they are not loaded; then call `get`. */
  peek(viewer: Id): Relations | undefined
  /** Keeps them loaded until released: after a change they are reloaded in the background. */
  pin(viewer: Id): () => void
  /**
   * The invalidated accounts with the event, emitted after `peek` stops returning the old value. An
   * event may occur twice.
   */
  readonly changed$: Observable<{ viewer: Id; event: LoggedEvent }>
}

interface Entry {
  loaded?: Relations
  loading?: Promise<Relations>
}

/** The fixed memory use of an entry. */
const ENTRY_BYTES = 700

export const relationships: (services: Services) => RelationshipCache = perServer(services => {
  const { config, database, events, logger, metrics } = services
  const entries = createPinnedCache<Entry>({
    limitBytes: shareOf('relations', config),
    weigh: ({ loaded }) => ENTRY_BYTES + (loaded ? weighRelations(loaded) : 0),
  })
  metrics.cache('relations', () => entries.statistics())
  const changed = new Subject<{ viewer: Id; event: LoggedEvent }>()

  function load(viewer: Id, entry: Entry): Promise<Relations> {
    const loading = loadRelations(database, viewer).then(
      found => {
        entry.loaded = found
        if (entries.peek(viewer) === entry) entries.weigh(viewer)
        return found
      },
      (error: unknown) => {
        if (entries.peek(viewer) === entry) entries.delete(viewer)
        throw error
      },
    )
    loading.catch(() => undefined)
    return loading
  }

  async function get(viewer: Id): Promise<Relations> {
    for (;;) {
      let entry = entries.get(viewer)
      if (!entry) entries.set(viewer, (entry = {}))
      const found = entry.loaded ?? (await (entry.loading ??= load(viewer, entry)))
      // A change in the meantime has replaced the entry: this result may be older than the change.
      if (entries.peek(viewer) === entry) return found
    }
  }

  function drop(viewer: Id): void {
    const entry = entries.peek(viewer)
    if (entry) entries.set(viewer, {})
    if (!entries.isPinned(viewer)) return
    get(viewer).catch((error: unknown) => {
      metrics.errors.inc({ part: 'relations' })
      logger.warn({ err: error }, 'relationships could not be reloaded; the next request retries')
    })
  }

  function follow(viewer: Id, event: LoggedEvent): void {
    drop(viewer)
    changed.next({ viewer, event })
  }
  const ofAccount = (event: LoggedEvent & { account_id: Id }): void => follow(event.account_id, event)

  const subscription = onEvents(events.local$, {
    'relationship.changed': event => {
      for (const viewer of accountsAffectedBy(event)) follow(viewer, event)
    },
    'tag_follow.changed': ofAccount,
    'list.changed': ofAccount,
    'domain_block.changed': ofAccount,
    'user.changed': ofAccount,
    'account.deleted': ofAccount,
    'caches.cleared': event => {
      if (event.data.change === 'all') for (const viewer of entries.keys()) follow(viewer, event)
    },
  })
  services.onClose(() => {
    subscription.unsubscribe()
    changed.complete()
  })
  return {
    get,
    peek: viewer => entries.peek(viewer)?.loaded,
    pin: viewer => {
      const release = entries.pin(viewer)
      get(viewer).catch(() => undefined) // the next caller loads it again and gets the error
      return release
    },
    changed$: changed.asObservable(),
  }
})
