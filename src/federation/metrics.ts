import { c, query } from '../platform/database/index.ts'
import type { Services } from '../platform/services.ts'

const measureQueues = query(
  'federation/queue_metrics',
  {},
  {
    received_waiting: c.integer,
    received_oldest_seconds: c.float,
    deliveries_waiting: c.integer,
    deliveries_retrying: c.integer,
    deliveries_oldest_seconds: c.float,
    hosts_failing: c.integer,
    hosts_unavailable: c.integer,
  },
)

const INTERVAL_MS = 30_000

/** Registers metrics of received and outgoing activities; every process reports the same values. */
export function addFederationMetrics({ database, metrics }: Services): void {
  metrics.sampled(
    {
      received_waiting: ['millrace_inbox_waiting', 'Activities of other servers waiting to be processed'],
      received_oldest_seconds: ['millrace_inbox_oldest_seconds', 'How long the oldest of them has been waiting'],
      deliveries_waiting: ['millrace_deliveries_waiting', 'Delivery jobs that are due'],
      deliveries_retrying: ['millrace_deliveries_retrying', 'Deliveries waiting for their next attempt'],
      deliveries_oldest_seconds: [
        'millrace_deliveries_oldest_seconds',
        'How long the oldest due delivery has been waiting',
      ],
      hosts_failing: ['millrace_delivery_hosts_failing', 'Servers to which the last delivery failed'],
      hosts_unavailable: ['millrace_delivery_hosts_unavailable', 'Servers to which nothing is delivered any more'],
    },
    async () => {
      const values = await database.one(measureQueues, {})
      if (!values) throw new Error('federation/queue_metrics returned no row')
      return values
    },
    INTERVAL_MS,
  )
}
