import { c, query } from '../platform/database/index.ts'
import type { Services } from '../platform/services.ts'

const findFigures = query(
  'federation/figures',
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

const EVERY_MS = 30_000

/** Metrics of the queues between this server and others, which are the same in every process. */
export function addFederationMetrics({ database, metrics }: Services): void {
  metrics.sampled(
    {
      received_waiting: ['millrace_inbox_waiting', 'Activities of other servers that wait for their processing'],
      received_oldest_seconds: ['millrace_inbox_oldest_seconds', 'How long the oldest of them waits'],
      deliveries_waiting: ['millrace_deliveries_waiting', 'Jobs that deliver activities and are due'],
      deliveries_retrying: ['millrace_deliveries_retrying', 'Deliveries that were put off'],
      deliveries_oldest_seconds: ['millrace_deliveries_oldest_seconds', 'How long the oldest that is due waits'],
      hosts_failing: ['millrace_delivery_hosts_failing', 'Servers to which the last delivery failed'],
      hosts_unavailable: ['millrace_delivery_hosts_unavailable', 'Servers to which nothing is delivered any more'],
    },
    async () => {
      const figures = await database.one(findFigures, {})
      if (!figures) throw new Error('federation/figures returned no row')
      return figures
    },
    EVERY_MS,
  )
}
