import { c, query } from '../../platform/database/index.ts'
import type { Services } from '../../platform/services.ts'

const find = query(
  'federation/send/hosts',
  { hosts: c.texts },
  { host: c.text, unavailable: c.boolean, paused_until: c.nullable(c.timestamp) },
)
const failure = query('federation/send/record_failure', { host: c.text, error: c.text }, {})
const success = query('federation/send/record_success', { host: c.text }, {})

/** The state of a server to which deliveries have failed. */
export interface DeliveryHost {
  /** Nothing is delivered. */
  readonly unavailable: boolean
  readonly pausedUntil: Date | undefined
}

export async function findHosts({ database }: Services, hosts: readonly string[]): Promise<Map<string, DeliveryHost>> {
  const rows = await database.run(find, { hosts: [...hosts] })
  return new Map(
    rows.map(row => [row.host, { unavailable: row.unavailable, pausedUntil: row.paused_until ?? undefined }]),
  )
}

/** @param error the status of the answer, or why there was none */
export const recordFailure = async ({ database }: Services, host: string, error: string): Promise<void> =>
  void (await database.run(failure, { host, error }))

/** Records that a server is reachable: it accepted a delivery or sent something. */
export const recordSuccess = async ({ database }: Services, host: string): Promise<void> =>
  void (await database.run(success, { host }))
