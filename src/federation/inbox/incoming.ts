import { ApiError } from '../../core/errors.ts'
import type { Id } from '../../core/id.ts'
import { c, query } from '../../platform/database/index.ts'
import { perServer } from '../../platform/services.ts'

const accept = query(
  'federation/inbox/accept',
  { hosts: c.texts, actors: c.texts, bodies: c.texts, recipients: c.texts },
  { accepted: c.boolean },
)
const findBacklog = query(
  'federation/inbox/backlog',
  { maximum: c.integer },
  { amount: c.integer, full_hosts: c.texts },
)

/** An activity whose signature was checked. */
interface Incoming {
  readonly host: string
  readonly actor: string
  readonly body: string
  readonly recipient: Id | null
}

interface Waiting {
  readonly incoming: Incoming
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/** The most activities in one commit. */
const MAX_BATCH = 100
/** The most requests that wait for their commit; others are refused. */
const MAX_WAITING = 2000
/** The most stored activities that wait to be processed: of all servers, and of one. */
const MAX_BACKLOG = 200_000
const MAX_OF_HOST = 20_000
const LOOK_MS = 2000

/**
 * Stores deliveries. Those that arrive during a commit share the next one.
 * The queue is bounded for each server and for all; beyond that it answers 503, and servers try
 * again later.
 */
export const incoming = perServer(({ database }) => {
  const waiting: Waiting[] = []
  let isStoring = false
  let lookedAt = -Infinity
  let backlog = { amount: 0, full_hosts: [] as readonly string[] }

  async function storeBatch(batch: readonly Waiting[]): Promise<void> {
    const all = batch.map(one => one.incoming)
    await database.run(accept, {
      hosts: all.map(({ host }) => host),
      actors: all.map(({ actor }) => actor),
      bodies: all.map(({ body }) => body),
      recipients: all.map(({ recipient }) => recipient ?? ''),
    })
    if (performance.now() - lookedAt < LOOK_MS) return
    lookedAt = performance.now()
    backlog = (await database.one(findBacklog, { maximum: MAX_OF_HOST })) ?? backlog
  }

  async function storeAll(): Promise<void> {
    isStoring = true
    for (let batch = waiting.splice(0, MAX_BATCH); batch.length > 0; batch = waiting.splice(0, MAX_BATCH))
      await storeBatch(batch).then(
        () => batch.forEach(one => one.resolve()),
        (error: unknown) => batch.forEach(one => one.reject(error)),
      )
    isStoring = false
  }

  /** Counts the backlog again while full queues refuse everything. */
  async function lookAgain(): Promise<void> {
    if (performance.now() - lookedAt < LOOK_MS) return
    lookedAt = performance.now()
    backlog = (await database.one(findBacklog, { maximum: MAX_OF_HOST })) ?? backlog
  }

  return {
    /** @throws ApiError unavailable when too many wait */
    async accept(given: Incoming): Promise<void> {
      const isFull = (): boolean => backlog.amount >= MAX_BACKLOG || backlog.full_hosts.includes(given.host)
      if (isFull()) await lookAgain()
      if (isFull() || waiting.length >= MAX_WAITING) throw new ApiError('unavailable')
      await new Promise<void>((resolve, reject) => {
        waiting.push({ incoming: given, resolve, reject })
        if (!isStoring) void storeAll()
      })
    },
  }
})
