import { afterPending, c, createBatcher, query, type Row } from '../platform/database/index.ts'
import { ApiError } from '../core/errors.ts'
import { operation } from '../platform/http/operation.ts'
import type { Id } from '../core/id.ts'
import { perServer, type Services } from '../platform/services.ts'
import { respondWithStatus, statusMissing, STATUS_ID } from './status_response.ts'

const PAIRS = { viewers: c.ids, statuses: c.ids } as const
const favourite = query(
  'statuses/favourite',
  { ...PAIRS, uris: c.texts },
  {
    place: c.integer,
    id: c.id,
    blocked: c.boolean,
    named: c.boolean,
    events: c.events,
  },
  { returnsAllEvents: true },
)
const unfavourite = query(
  'statuses/unfavourite',
  PAIRS,
  { place: c.integer, id: c.id, events: c.events },
  { returnsAllEvents: true },
)

/** Idempotent. */
export const favouriteStatus = operation({
  method: 'POST',
  path: '/api/v1/statuses/:id/favourite',
  auth: 'user',
  scopes: ['write:favourites'],
  summary: 'Mark a status as a favourite',
  params: { id: STATUS_ID },
  returns: 'Status',
  async handle({ id }, context) {
    const liked = await addFavourite(context)({ viewer: context.viewer.id, status: id })
    if (!liked) throw statusMissing()
    if (liked.blocked) throw new ApiError('notAllowed')
    return respondWithStatus(context, liked.id)
  },
})

export const unfavouriteStatus = operation({
  method: 'POST',
  path: '/api/v1/statuses/:id/unfavourite',
  auth: 'user',
  scopes: ['write:favourites'],
  summary: 'Remove a status from the favourites',
  params: { id: STATUS_ID },
  returns: 'Status',
  async handle({ id }, context) {
    const undone = await removeFavourite(context)({ viewer: context.viewer.id, status: id })
    return respondWithStatus(context, undone?.id, { unseen: true })
  },
})

interface Pair {
  readonly viewer: Id
  readonly status: Id
  /** Identifies another server's favourite, so that it can be undone. */
  readonly uri?: string | undefined
}

/**
 * Concurrent favourites are committed together: one by one, each would wait for the counter's lock
 * until the one before has committed.
 */
export const addFavourite = perServer(services =>
  batchPairs(services, (pairs, uris) => services.database.run(favourite, { ...pairs, uris })),
)
export const removeFavourite = perServer(services =>
  batchPairs(services, pairs => services.database.run(unfavourite, pairs)),
)

/** Empty for none, and for a repeated one. */
function urisOf(pairs: readonly Pair[]): string[] {
  const before = new Set<string>()
  return pairs.map(({ uri = '' }) => {
    const isNew = !before.has(uri)
    before.add(uri)
    return isNew ? uri : ''
  })
}

function batchPairs<R extends { place: number }>(
  { events }: Services,
  run: (pairs: Row<typeof PAIRS>, uris: string[]) => Promise<R[]>,
): (pair: Pair) => Promise<R | undefined> {
  return createBatcher<Pair, R>({
    turn: afterPending,
    runMany: pairs =>
      events.notifyAfter(
        run({ viewers: pairs.map(({ viewer }) => viewer), statuses: pairs.map(({ status }) => status) }, urisOf(pairs)),
      ),
  })
}
