import { AggregatorRegistry, Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client'
import type { WorkerMetrics, Snapshot } from './worker_metrics.ts'

/** What the server counts, in Prometheus' terms. Names are stable: operators build dashboards on them. */
export interface Metrics {
  readonly requests: Counter<'method' | 'route' | 'status'>
  readonly requestSeconds: Histogram<'method' | 'route'>
  readonly errors: Counter<'part'>
  readonly slowQueries: Counter<'query'>
  readonly streams: Gauge<'transport'>
  /** By the name of the stream, as clients ask for it. */
  readonly subscriptions: Gauge<'stream'>
  readonly streamMessages: Counter<'transport'>
  readonly streamsRefused: Counter<'bound'>
  readonly streamLagSeconds: Histogram
  readonly pushes: Counter<'outcome'>
  /** A gauge that is read when it is asked for. @param together what that of several server processes is: `sum` */
  gauge(name: string, help: string, read: () => number, together?: 'sum' | 'max'): void
  /** Shows a cache of the process, read when it is asked for. */
  cache(name: string, read: () => CacheFigures): void
  /** Counts for a counter what comes too often for it: it makes a text of its labels for each. To be made once for the same labels. */
  batched<T extends string>(counter: Counter<T>, labels: Readonly<Record<T, string | number>>): BatchedCounter
  /** The text exposition format, and its media type; of all server processes that share the port. */
  render(): Promise<{ text: string; type: string }>
}

/** What is added to a counter when it is asked for. */
export interface BatchedCounter {
  count: number
}

/** How full a cache is, and how often it had what was asked for since the start. */
export interface CacheFigures {
  readonly limitBytes: number
  readonly sizeBytes: number
  /** Entries. */
  readonly size: number
  readonly hits: number
  readonly misses: number
}

const CACHE_FIGURES = {
  limitBytes: ['millrace_cache_limit_bytes', 'Most memory that a cache takes'],
  sizeBytes: ['millrace_cache_bytes', 'Memory that a cache takes, about'],
  size: ['millrace_cache_entries', 'Entries of a cache'],
  hits: ['millrace_cache_hits', 'Times that a cache had what was asked for'],
  misses: ['millrace_cache_misses', 'Times that it had not'],
} as const satisfies Record<keyof CacheFigures, readonly [name: string, help: string]>

const HIT_RATE = ['millrace_cache_hit_rate', 'Share of what was asked for that a cache had, since the start'] as const

const hitRate = ({ hits, misses }: CacheFigures): number => (hits === 0 ? 0 : hits / (hits + misses))

/** A gauge for each figure of the caches, labelled with their names. */
function showCaches(caches: ReadonlyMap<string, () => CacheFigures>, registers: Registry[]): void {
  const show = (
    [name, help]: readonly [string, string],
    figure: (figures: CacheFigures) => number,
    aggregator: 'sum' | 'average' = 'sum',
  ): void => {
    new Gauge({
      name,
      help,
      aggregator,
      labelNames: ['cache'],
      registers,
      collect() {
        for (const [cache, read] of caches) this.set({ cache }, figure(read()))
      },
    })
  }
  for (const [member, words] of Object.entries(CACHE_FIGURES))
    show(words, figures => figures[member as keyof CacheFigures])
  show(HIT_RATE, hitRate, 'average')
}

/** Told by the process that has the embedded database: the server, or the parent of several server processes. */
export const DATABASE_RESTARTS = [
  'millrace_database_restarts',
  'Times that the embedded PostgreSQL ended though it was in use, and was started again',
] as const

/** Of a process that serves nobody itself: one gauge, for others to show. */
export function snapshotOf([name, help]: readonly [name: string, help: string], read: () => number): Promise<Snapshot> {
  const registry = new Registry()
  new Gauge({ name, help, registers: [registry] }).set(read())
  return registry.getMetricsAsJSON()
}

/** @param colleagues the server processes that share the port, when there are several */
export function createMetrics(colleagues?: WorkerMetrics): Metrics {
  const registry = new Registry()
  const registers = [registry]
  const collectors: (() => void)[] = []
  const caches = new Map<string, () => CacheFigures>()
  collectDefaultMetrics({ register: registry })
  showCaches(caches, registers)
  const collect = (): void => {
    for (const one of collectors) one()
  }
  colleagues?.answerWith(() => {
    collect()
    return registry.getMetricsAsJSON()
  })
  return {
    requests: new Counter({
      name: 'millrace_http_requests_total',
      help: 'Requests answered',
      labelNames: ['method', 'route', 'status'],
      registers,
    }),
    requestSeconds: new Histogram({
      name: 'millrace_http_request_duration_seconds',
      help: 'Time from the request to its answer',
      labelNames: ['method', 'route'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
      registers,
    }),
    errors: new Counter({
      name: 'millrace_lost_total',
      help: 'Errors that were logged and survived, by part',
      labelNames: ['part'],
      registers,
    }),
    slowQueries: new Counter({
      name: 'millrace_slow_queries_total',
      help: 'Statements slower than half a second',
      labelNames: ['query'],
      registers,
    }),
    streams: new Gauge({
      name: 'millrace_streams',
      help: 'Open streaming connections',
      labelNames: ['transport'],
      registers,
    }),
    subscriptions: new Gauge({
      name: 'millrace_stream_subscriptions',
      help: 'Subscriptions of open streaming connections, by stream',
      labelNames: ['stream'],
      registers,
    }),
    streamMessages: new Counter({
      name: 'millrace_stream_messages_total',
      help: 'Messages sent to streams',
      labelNames: ['transport'],
      registers,
    }),
    streamsRefused: new Counter({
      name: 'millrace_streams_refused_total',
      help: 'Streaming connections refused because the account or the address has too many',
      labelNames: ['bound'],
      registers,
    }),
    streamLagSeconds: new Histogram({
      name: 'millrace_stream_lag_seconds',
      help: 'Time from the writing of an event, just before its commit, to its being handed to the sockets of its readers',
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
      registers,
    }),
    pushes: new Counter({
      name: 'millrace_pushes_total',
      help: 'Tries to send a push message, by what came of it',
      labelNames: ['outcome'],
      registers,
    }),
    gauge(name, help, read, together = 'sum') {
      new Gauge({
        name,
        help,
        aggregator: together,
        registers,
        collect() {
          this.set(read())
        },
      })
    },
    cache: (name, read) => void caches.set(name, read),
    batched(counter, labels) {
      const tally = { count: 0 }
      collectors.push(() => {
        if (tally.count > 0) counter.inc(labels, tally.count)
        tally.count = 0
      })
      return tally
    },
    async render() {
      if (!colleagues) collect()
      const together = colleagues ? AggregatorRegistry.aggregate(await colleagues.gather()) : registry
      return { text: await together.metrics(), type: together.contentType }
    },
  }
}
