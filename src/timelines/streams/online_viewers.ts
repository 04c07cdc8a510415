import { viewerFilters } from '../../statuses/filters/index.ts'
import type { Id } from '../../core/id.ts'
import type { Viewer } from '../../core/viewer.ts'
import { relationships } from '../../accounts/relationships/index.ts'
import { perServer, type Services } from '../../platform/services.ts'
import type { Refresh, Routes } from '../../platform/streaming/index.ts'
import type { Person } from './rules.ts'

/** The accounts that read public streams, with all data that the rules use, in memory. */
export interface OnlineViewers {
  /** The person, shared by all their streams, until each has been released. */
  acquire(viewer: Viewer): Promise<{ person: Person; release: () => void }>
  /** Refreshes the affected viewers; await it before later events are evaluated. */
  readonly refreshes: Routes<unknown>['refreshes']
}

interface Online {
  readonly userId: Id
  readonly unpin: () => void
  readonly ready: Promise<Person>
  person: Person | undefined
  readers: number
}

export const onlineViewers: (services: Services) => OnlineViewers = perServer(services => {
  const online = new Map<Id, Online>()
  const related = relationships(services)
  const filters = viewerFilters(services)

  async function load({ id, chosenLanguages }: Viewer): Promise<Person> {
    const [found, compiled] = await Promise.all([related.get(id), filtersOf(id)])
    return { chosenLanguages, relations: found, filters: compiled }
  }

  async function filtersOf(id: Id): Promise<Person['filters']> {
    const compiled = await filters.one(id)
    if (!compiled) throw new Error('there are no filters of an account, not even none')
    return compiled
  }

  function add(viewer: Viewer): Online {
    const one: Online = {
      userId: viewer.userId,
      unpin: related.pin(viewer.id),
      ready: load(viewer).then(person => (one.person = person)),
      person: undefined,
      readers: 0,
    }
    online.set(viewer.id, one)
    return one
  }

  function leave(id: Id, one: Online): void {
    one.readers -= 1
    if (one.readers > 0) return
    one.unpin()
    if (online.get(id) === one) online.delete(id)
  }

  /** Refreshes each of these accounts that is online. */
  function refresh(
    ids: readonly Id[],
    change: (id: Id, one: Online, person: Person) => Promise<void>,
  ): Refresh | undefined {
    const accounts: Id[] = []
    const changes = ids.flatMap(id => {
      const one = online.get(id)
      if (!one) return []
      accounts.push(id)
      return [one.ready.then(person => change(id, one, person))]
    })
    return accounts.length === 0 ? undefined : { accounts, done: Promise.all(changes).then(() => undefined) }
  }

  const reloadRelations = (id: Id, _one: Online, person: Person): Promise<void> =>
    related.get(id).then(found => void (person.relations = found))

  return {
    async acquire(viewer) {
      const one = online.get(viewer.id) ?? add(viewer)
      one.readers += 1
      try {
        const person = await one.ready
        return { person, release: () => leave(viewer.id, one) }
      } catch (error) {
        // The next caller tries again.
        if (online.get(viewer.id) === one) online.delete(viewer.id)
        leave(viewer.id, one)
        throw error
      }
    },
    refreshes: {
      'relationship.changed': event => refresh([event.actor_id, event.account_id], reloadRelations),
      'domain_block.changed': event => refresh([event.account_id], reloadRelations),
      'filters.changed': event =>
        refresh([event.account_id], async (id, _one, person) => {
          person.filters = await filtersOf(id)
        }),
      'user.changed': event =>
        refresh([event.account_id], async (_id, { userId }, person) => {
          person.chosenLanguages = (await services.tokens.viewer(userId))?.chosenLanguages ?? null
        }),
    },
  }
})
