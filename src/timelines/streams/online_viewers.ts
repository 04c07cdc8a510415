import { viewerFilters } from '../../statuses/filters/index.ts'
import type { Id } from '../../core/id.ts'
import { hasPermission } from '../../core/permissions.ts'
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

async function load(services: Services, viewer: Viewer): Promise<Person> {
  const { id, chosenLanguages } = viewer
  const [relations, filters] = await Promise.all([relationships(services).get(id), filtersOf(services, id)])
  return { chosenLanguages, ...accessOf(viewer), relations, filters }
}

const accessOf = (viewer: Viewer | undefined): Pick<Person, 'isFunctional' | 'viewsFeeds'> => ({
  isFunctional: viewer?.state === 'functional',
  viewsFeeds: hasPermission(viewer, 'view_feeds'),
})

async function filtersOf(services: Services, account: Id): Promise<Person['filters']> {
  const filters = await viewerFilters(services).one(account)
  if (!filters) throw new Error('the filters of an account were not loaded')
  return filters
}

/** Reads again what is in memory of an account that is online. */
function createReloads(services: Services) {
  const relations = async (id: Id, _one: Online, person: Person): Promise<void> => {
    person.relations = await relationships(services).get(id)
  }
  const filters = async (id: Id, _one: Online, person: Person): Promise<void> => {
    person.filters = await filtersOf(services, id)
  }
  const user = async (_id: Id, { userId }: Online, person: Person): Promise<void> => {
    const viewer = await services.tokens.viewer(userId)
    person.chosenLanguages = viewer?.chosenLanguages ?? null
    Object.assign(person, accessOf(viewer))
  }
  const all = async (id: Id, one: Online, person: Person): Promise<void> => {
    await Promise.all([relations, filters, user].map(reload => reload(id, one, person)))
  }
  return { relations, filters, user, all }
}

export const onlineViewers: (services: Services) => OnlineViewers = perServer(services => {
  const online = new Map<Id, Online>()
  const related = relationships(services)
  const reload = createReloads(services)

  function add(viewer: Viewer): Online {
    const one: Online = {
      userId: viewer.userId,
      unpin: related.pin(viewer.id),
      ready: load(services, viewer).then(person => (one.person = person)),
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
      'relationship.changed': event => refresh([event.actor_id, event.account_id], reload.relations),
      'domain_block.changed': event => refresh([event.account_id], reload.relations),
      'filters.changed': event => refresh([event.account_id], reload.filters),
      'user.changed': event => refresh([event.account_id], reload.user),
      // A role decides on the rights of many.
      'role.changed': () => refresh([...online.keys()], reload.user),
      'caches.cleared': ({ data }) => (data.change === 'all' ? refresh([...online.keys()], reload.all) : undefined),
    },
  }
})
