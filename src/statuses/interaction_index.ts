import { LRUCache } from 'lru-cache'
import { c, query } from '../platform/database/index.ts'
import { onEvents, type StatusEvent } from '../platform/events/index.ts'
import { compareIds, type Id } from '../core/id.ts'
import { perServer, type Services } from '../platform/services.ts'
import { CompactIdSet } from './compact_id_set.ts'

const interactedWith = query(
  'statuses/interacted',
  { viewer: c.id, limit: c.integer },
  { ids: c.ids, mutes: c.boolean },
  { pipelined: true },
)

/**
 * Answers "has this viewer interacted with this status?" from memory; most statuses in a timeline
 * have no interaction. It holds the few statuses that a viewer has interacted with, so it can
 * answer for every other status, even one that was never requested. Every interaction has an event.
 */
export interface InteractionIndex {
  /**
   * Returns a function that is true when the viewer has certainly not interacted with a status.
   * False means that the database must be asked.
   */
  of(viewer: Id): Promise<(status: Id) => boolean>
  /** Starts loading the viewer's data if it is not in memory. */
  prefetch(viewer: Id): void
  /** The same for one status, from memory only; false starts loading the viewer's data. */
  peek(viewer: Id, status: Id): boolean
}

/** The limit of statuses for each viewer. */
const MAX_COUNT = 256
const MAX_BYTES = 16 * 1024 * 1024
const ENTRY_BYTES = 800

interface Touched {
  readonly ids: CompactIdSet
  /** Nothing is certain about statuses up to this id. */
  readonly floor: Id
  /** The viewer has muted conversations, whose statuses are not known here. */
  readonly mutes: boolean
}

interface Entry {
  readonly touched: Promise<Touched>
  loaded: Touched | undefined
  /** Statuses that the viewer has interacted with since loading began. */
  readonly since: Set<Id>
}

async function load({ database }: Services, viewer: Id): Promise<Touched> {
  const row = await database.one(interactedWith, { viewer, limit: MAX_COUNT })
  if (!row) throw new Error('statuses/interacted returned no row')
  const floor = row.ids.length < MAX_COUNT ? '0' : (row.ids.at(-1) ?? '0')
  return { ids: new CompactIdSet(row.ids), floor, mutes: row.mutes }
}

export const interactionIndex: (services: Services) => InteractionIndex = perServer(services => {
  const entries = new LRUCache<Id, Entry>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ loaded }) => ENTRY_BYTES + (loaded?.ids.sizeBytes ?? 0),
  })

  function note(actor: Id | null, status: Id | null, boosted: Id | null = null): void {
    const since = actor === null ? undefined : entries.peek(actor)?.since
    if (actor === null || since === undefined) return
    if (status !== null) since.add(status)
    if (boosted !== null) since.add(boosted)
    if (since.size > MAX_COUNT) entries.delete(actor)
  }

  const notePost = (event: StatusEvent): void => note(event.actor_id, event.status_id, event.data.reblog_of_id)

  function open(viewer: Id): Entry {
    const entry: Entry = { touched: load(services, viewer), loaded: undefined, since: new Set() }
    entries.set(viewer, entry)
    entry.touched.then(
      loaded => {
        entry.loaded = loaded
        // Its size is only known now.
        if (entries.peek(viewer) !== entry) return
        entries.delete(viewer)
        entries.set(viewer, entry)
      },
      () => {
        if (entries.peek(viewer) === entry) entries.delete(viewer)
      },
    )
    return entry
  }

  const isUntouched = ({ ids, floor, mutes }: Touched, since: ReadonlySet<Id>, status: Id): boolean =>
    !mutes && compareIds(status, floor) > 0 && !ids.mayHave(status) && !since.has(status)

  const subscription = onEvents(services.events.local$, {
    'status.created': notePost,
    'status.updated': notePost,
    'status.deleted': notePost,
    'status.counted': event => note(event.actor_id, event.status_id),
    'status.pinned': event => note(event.actor_id, event.status_id),
    'interaction.changed': event => {
      if (event.data.change === 'mute') entries.delete(event.actor_id)
      else note(event.actor_id, event.status_id)
    },
    'caches.cleared': () => entries.clear(),
  })
  services.onClose(() => subscription.unsubscribe())
  return {
    prefetch(viewer) {
      if (!entries.has(viewer)) open(viewer)
    },
    async of(viewer) {
      const { touched, since } = entries.get(viewer) ?? open(viewer)
      const loaded = await touched
      return status => isUntouched(loaded, since, status)
    },
    peek(viewer, status) {
      const { loaded, since } = entries.get(viewer) ?? open(viewer)
      return loaded !== undefined && isUntouched(loaded, since, status)
    },
  }
})
