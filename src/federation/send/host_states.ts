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
const findDeliveries = query('federation/send/waiting_deliveries', { host: c.text }, { id: c.id })
const CHANGE_PARAMETERS = { moderator: c.nullable(c.id), host: c.text, ids: c.ids } as const
const reset = query('federation/send/reset_host', CHANGE_PARAMETERS, {
  amount: c.integer,
  known: c.boolean,
  recorded: c.integer,
})
const purge = query('federation/send/purge_host', CHANGE_PARAMETERS, { amount: c.integer })

/** The state of a server to which deliveries fail. */
export type HostState = Row<typeof findStates.columns>

/**
 * Servers to which deliveries have failed since their last success, in the order of their hosts.
 */
export const listHostStates = (
  runner: Runner,
  { after = '', limit }: { after?: string; limit: number },
): Promise<HostState[]> => runner.run(findStates, { after, limit })

const findDeliveryIds = async (runner: Runner, host: string): Promise<Id[]> =>
  (await runner.run(findDeliveries, { host })).map(({ id }) => id)

/**
 * Deletes the failures of a server, even an unavailable one, and retries its deliveries at once.
 * @param moderator the acting moderator; null for the operator
 * @returns the number of retried deliveries; undefined when there were neither failures nor
 *   deliveries
 */
export async function retryHost(runner: Runner, moderator: Id | null, host: string): Promise<number | undefined> {
  const result = await runner.one(reset, { moderator, host, ids: await findDeliveryIds(runner, host) })
  return result && (result.known || result.amount > 0) ? result.amount : undefined
}

/** Deletes the waiting deliveries to a server; returns their number. */
export const purgeHost = async (runner: Runner, moderator: Id | null, host: string): Promise<number> =>
  (await runner.one(purge, { moderator, host, ids: await findDeliveryIds(runner, host) }))?.amount ?? 0
