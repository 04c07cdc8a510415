import type { Id } from '../../core/id.ts'
import { c, query, type Row, type Runner } from '../../platform/database/index.ts'

const findStates = query(
  'federation/send/host_states',
  { after: c.text, limit: c.integer },
  {
    host: c.text,
    failures: c.integer,
    days: c.integer,
    last_failed_at: c.nullable(c.timestamp),
    last_error: c.nullable(c.text),
    paused_until: c.nullable(c.timestamp),
    unavailable_since: c.nullable(c.timestamp),
    waiting: c.integer,
    next_at: c.nullable(c.timestamp),
    last_success_at: c.nullable(c.timestamp),
  },
)
const findDeliveries = query('federation/send/deliveries_of', { host: c.text }, { id: c.id })
const CHANGE = { moderator: c.nullable(c.id), host: c.text, ids: c.ids } as const
const reset = query('federation/send/reset_host', CHANGE, { amount: c.integer, known: c.boolean, recorded: c.integer })
const purge = query('federation/send/purge_host', CHANGE, { amount: c.integer })

/** The state of deliveries to a server where they fail. */
export type HostState = Row<typeof findStates.columns>

/** Servers to which deliveries have failed since their last success, by name after `after`. */
export const listHostStates = (
  runner: Runner,
  { after = '', limit }: { after?: string; limit: number },
): Promise<HostState[]> => runner.run(findStates, { after, limit })

const idsOf = async (runner: Runner, host: string): Promise<Id[]> =>
  (await runner.run(findDeliveries, { host })).map(({ id }) => id)

/**
 * Delivers to a server again at once, also to one that was given up; returns how many deliveries
 * wait. Undefined when nothing failed and nothing waits.
 * @param moderator who does it; null: the operator
 */
export async function retryHost(runner: Runner, moderator: Id | null, host: string): Promise<number | undefined> {
  const done = await runner.one(reset, { moderator, host, ids: await idsOf(runner, host) })
  return done && (done.known || done.amount > 0) ? done.amount : undefined
}

/** Deletes the deliveries that wait for a server; returns how many there were. */
export const purgeHost = async (runner: Runner, moderator: Id | null, host: string): Promise<number> =>
  (await runner.one(purge, { moderator, host, ids: await idsOf(runner, host) }))?.amount ?? 0
