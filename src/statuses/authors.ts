import { c, query } from '../platform/database/index.ts'
import { eventCache, type EventCache } from '../platform/cache/event_cache.ts'
import { perServer, type Services } from '../platform/services.ts'

const loadAuthors = query(
  'statuses/authors',
  { ids: c.ids },
  { id: c.id, sensitized: c.boolean, silenced: c.boolean, hidden: c.boolean, shows_application: c.boolean },
  { pipelined: true },
)

/** The data of an author that statuses need in addition to the account. */
export interface Author {
  /** Moderators have marked all of its media as sensitive. */
  readonly sensitized: boolean
  /** Moderators have limited it. */
  readonly silenced: boolean
  /** It is suspended, not confirmed, not approved or being deleted: nobody sees its statuses. */
  readonly hidden: boolean
  /** Whether others see which application it posts with. */
  readonly showsApplication: boolean
}

/** Authors by account id, cached until their account or user changes. */
export const authors: (services: Services) => EventCache<Author> = perServer(services =>
  eventCache<Author>(services, {
    name: 'authors',
    async load(ids) {
      const rows = await services.database.run(loadAuthors, { ids })
      return new Map(
        rows.map(({ id, shows_application: showsApplication, ...flags }) => [id, { ...flags, showsApplication }]),
      )
    },
    drops: {
      'account.changed': event => [event.account_id],
      'user.changed': event => [event.account_id],
      'account.deleted': event => [event.account_id],
    },
  }),
)
