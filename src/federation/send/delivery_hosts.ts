import { c, query } from '../../platform/database/index.ts'
import type { Services } from '../../platform/services.ts'

const find = query(
  'federation/send/failing_hosts',
  { hosts: c.texts },
  { host: c.text, unavailable: c.boolean, paused_until: c.nullable(c.timestamp) },
)
const addFailure = query('federation/send/record_failure', { host: c.text, error: c.text }, {})
const deleteFailures = query('federation/send/clear_failures', { host: c.text }, {})

/** The state of a server to which deliveries have failed. */
export interface DeliveryHost {
  /** Whether nothing is delivered to the server any more. */
  readonly unavailable: boolean
  readonly pausedUntil: Date | undefined
}

export async function findHosts({ database }: Services, hosts: readonly string[]): Promise<Map<string, DeliveryHost>> {
  const rows = await database.run(find, { hosts: [...hosts] })
  return new Map(
    rows.map(row => [row.host, { unavailable: row.unavailable, pausedUntil: row.paused_until ?? undefined }]),
  )
}

/**
 * Records a failed delivery to a server.
 * @param error the status of the answer, or the reason why there was none
 */
export const recordFailure = async ({ database }: Services, host: string, error: string): Promise<void> =>
  void (await database.run(addFailure, { host, error }))

/** Deletes the recorded failures of a server, after it accepted a delivery. */
export const clearFailures = async ({ database }: Services, host: string): Promise<void> =>
  void (await database.run(deleteFailures, { host }))
