import { c, query } from '../platform/database/index.ts'
import { createFragments, type Fragments } from '../platform/cache/fragments.ts'
import { perServer, type Services } from '../platform/services.ts'

const loadAuthors = query(
  'statuses/authors',
  { ids: c.ids },
  { id: c.id, sensitized: c.boolean, shows_application: c.boolean },
)

/** The data of an author that rendering a status needs beside the account. */
export interface Author {
  /** Moderators have marked all of its media as sensitive. */
  readonly sensitized: boolean
  /** Whether others see which application it posts with. */
  readonly showsApplication: boolean
}

const CHANGES = new Set(['account.changed', 'user.changed', 'account.deleted'])

/** Authors by account id, cached until their account or user changes. */
export const authors: (services: Services) => Fragments<Author> = perServer(services => {
  const fragments = createFragments<Author>(services, {
    name: 'authors',
    async load(ids) {
      const rows = await services.database.run(loadAuthors, { ids })
      return new Map(rows.map(row => [row.id, { sensitized: row.sensitized, showsApplication: row.shows_application }]))
    },
  })
  const subscription = services.events.invalidations$.subscribe(event => {
    if (event.account_id !== null && CHANGES.has(event.kind)) fragments.drop(event.account_id)
  })
  services.onClose(() => subscription.unsubscribe())
  return fragments
})
