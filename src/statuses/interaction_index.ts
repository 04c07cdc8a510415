import { LRUCache } from 'lru-cache'
import { c, query, type LoggedEvent } from '../platform/database/index.ts'
import { compareIds, type Id } from '../core/id.ts'
import { perServer, type Services } from '../platform/services.ts'
import { CompactIdSet } from './compact_id_set.ts'

const touchedBy = query('statuses/touched', { viewer: c.id, most: c.integer }, { ids: c.ids, mutes: c.boolean })

/**
 * Which statuses viewers have done nothing with, as is so of nearly all that a timeline shows: known of every status, those that the
 * viewer has never asked for too, from the few that the viewer did something with. Whatever a viewer does has an event.
 */
export interface InteractionIndex {
  /** Tells of a status whether it is certain that the viewer did nothing with it. False: the database has to be asked. */
  of(viewer: Id): Promise<(status: Id) => boolean>
  /** The same of one status, as far as it is in memory; if it is not, it will be soon. */
  peek(viewer: Id, status: Id): boolean
}

/** Most statuses of each viewer. */
const MAX_COUNT = 256
const MAX_BYTES = 16 * 1024 * 1024
const ENTRY_BYTES = 800

interface Touched {
  readonly ids: CompactIdSet
  /** Of statuses up to here, nothing is certain. */
  readonly floor: Id
  /** Which statuses a muted conversation has is not known here. */
  readonly mutes: boolean
}

interface Entry {
  readonly touched: Promise<Touched>
  loaded: Touched | undefined
  /** What the viewer has done something with since loading began. */
  readonly since: Set<Id>
}

async function load({ database }: Services, viewer: Id): Promise<Touched> {
  const row = await database.one(touchedBy, { viewer, most: MAX_COUNT })
  if (!row) throw new Error('statuses/touched gave no row')
  const floor = row.ids.length < MAX_COUNT ? '0' : (row.ids.at(-1) ?? '0')
  return { ids: new CompactIdSet(row.ids), floor, mutes: row.mutes }
}

export const interactionIndex: (services: Services) => InteractionIndex = perServer(services => {
  const entries = new LRUCache<Id, Entry>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ loaded }) => ENTRY_BYTES + (loaded?.ids.sizeBytes ?? 0),
  })

  function note(actor: Id, ids: readonly unknown[]): void {
    const since = entries.peek(actor)?.since
    for (const id of ids) if (typeof id === 'string') since?.add(id)
    if (since && since.size > MAX_COUNT) entries.delete(actor)
  }

  function hear({ kind, actor_id: actor, status_id: status, data }: LoggedEvent): void {
    if (kind === 'caches.cleared') entries.clear()
    else if (actor === null) return
    else if (kind === 'interaction.changed' && data['what'] !== 'bookmark') entries.delete(actor)
    else if (status !== null) note(actor, [status, data['reblog_of_id']])
  }

  function open(viewer: Id): Entry {
    const entry: Entry = { touched: load(services, viewer), loaded: undefined, since: new Set() }
    entries.set(viewer, entry)
    entry.touched.then(
      loaded => {
        entry.loaded = loaded
        // Its size is known only now.
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

  const subscription = services.events.local$.subscribe(hear)
  services.onClose(() => subscription.unsubscribe())
  return {
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
