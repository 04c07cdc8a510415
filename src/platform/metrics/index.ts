import { AggregatorRegistry, Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client'
import { sliceFigures, type SliceFigures } from '../../core/time_slices.ts'
import { createSample } from './sample.ts'
import type { WorkerMetrics, Snapshot } from './worker_metrics.ts'

/** The server's metrics, for Prometheus. Names are stable: operators build dashboards on them. */
export interface Metrics {
  readonly requests: Counter<'method' | 'route' | 'status'>
  readonly requestSeconds: Histogram<'method' | 'route'>
  readonly errors: Counter<'part'>
  readonly slowQueries: Counter<'query'>
  readonly streams: Gauge<'transport'>
  /** By the name of the stream in the streaming API. */
  readonly subscriptions: Gauge<'stream'>
  readonly streamMessages: Counter<'transport'>
  readonly streamsRefused: Counter<'bound'>
  readonly streamLagSeconds: Histogram
  readonly pushes: Counter<'outcome'>
  readonly mails: Counter<'outcome'>
  /** Activities of other servers that were processed. */
  readonly received: Counter<'type' | 'outcome'>
  /** Attempts to deliver an activity to another server. */
  readonly delivered: Counter<'type' | 'outcome'>
  /** Requests whose signature was refused. */
  readonly signaturesRefused: Counter<'status'>
  /**
   * Adds a gauge whose value is read on each scrape.
   * @param together how the values of several server processes are combined, default `sum`
   */
  gauge(name: string, help: string, read: () => number, together?: 'sum' | 'max'): void
  /**
   * Adds gauges that one statement reads, with the same values in every process: read on scrapes,
   * at most once in `everyMs`, and absent until the first read.
   */
  sampled<N extends string>(
    gauges: Readonly<Record<N, readonly [name: string, help: string]>>,
    read: () => Promise<Readonly<Record<NoInfer<N>, number>>>,
    everyMs: number,
  ): void
  /** Adds the metrics of a cache, read on each scrape. */
  cache(name: string, read: () => CacheFigures): void
  /**
   * Returns a cheap counter for frequent events, whose count is added to `counter` on each scrape:
   * prom-client builds a string of the labels for every increment. Create one for each set of
   * labels.
   */
  batched<T extends string>(counter: Counter<T>, labels: Readonly<Record<T, string | number>>): BatchedCounter
  /**
   * The text exposition format and its media type, for all server processes that share the port.
   */
  render(): Promise<{ text: string; type: string }>
}

/** A count that is added to a prom-client counter on each scrape. */
export interface BatchedCounter {
  count: number
}

/** The size of a cache, and its hits and misses since the start. */
export interface CacheFigures {
  readonly limitBytes: number
  readonly sizeBytes: number
  /** The number of entries. */
  readonly size: number
  readonly hits: number
  readonly misses: number
}

const CACHE_FIGURES = {
  limitBytes: ['millrace_cache_limit_bytes', 'Limit of the memory of a cache'],
  sizeBytes: ['millrace_cache_bytes', 'Approximate memory of a cache'],
  size: ['millrace_cache_entries', 'Entries of a cache'],
  hits: ['millrace_cache_hits', 'Look-ups that a cache answered'],
  misses: ['millrace_cache_misses', 'Look-ups that a cache could not answer'],
} as const satisfies Record<keyof CacheFigures, readonly [name: string, help: string]>

const HIT_RATE = ['millrace_cache_hit_rate', 'Share of look-ups that a cache answered, since the start'] as const

const hitRate = ({ hits, misses }: CacheFigures): number => (hits === 0 ? 0 : hits / (hits + misses))

/** Adds a gauge for each figure of the caches, labelled with their names. */
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

const SLICES = {
  waiting: ['millrace_computations_waiting', 'Long computations that wait for their turn', 'sum'],
  slices: ['millrace_computation_slices', 'Turns of the event loop in which long computations ran', 'sum'],
  longestMs: ['millrace_computation_slice_max_ms', 'The longest of these turns, since the start', 'max'],
} as const satisfies Record<keyof SliceFigures, readonly [name: string, help: string, together: 'sum' | 'max']>

/** Adds the figures of `core/time_slices.ts`. */
function showTimeSlices(gauge: Metrics['gauge']): void {
  for (const [member, [name, help, together]] of Object.entries(SLICES))
    gauge(name, help, () => sliceFigures()[member as keyof SliceFigures], together)
}

/**
 * Reported by the process that runs the embedded database: the server, or the parent of several
 * server processes.
 */
export const DATABASE_RESTARTS = [
  'millrace_database_restarts',
  'Restarts of the embedded PostgreSQL after an unexpected end',
] as const

/**
 * The snapshot of a process that serves no requests itself: one gauge, which other processes show.
 */
export function snapshotOf([name, help]: readonly [name: string, help: string], read: () => number): Promise<Snapshot> {
  const registry = new Registry()
  new Gauge({ name, help, registers: [registry] }).set(read())
  return registry.getMetricsAsJSON()
}

type Instruments = Omit<Metrics, 'gauge' | 'sampled' | 'cache' | 'batched' | 'render'>

/** Adds `Metrics.sampled` gauges. */
function showSamples<N extends string>(
  gauges: Readonly<Record<N, readonly [name: string, help: string]>>,
  sample: () => Promise<Readonly<Record<N, number>> | undefined>,
  registers: Registry[],
): void {
  for (const member of Object.keys(gauges) as N[]) {
    const [name, help] = gauges[member]
    const gauge = new Gauge({
      name,
      help,
      aggregator: 'max',
      registers,
      async collect() {
        const figures = await sample()
        if (figures) this.set(figures[member])
      },
    })
    // A gauge starts at 0, which would be a false value.
    gauge.remove()
  }
}

/** The metrics of the exchange with other servers. */
const createExchange = (registers: Registry[]): Pick<Instruments, 'received' | 'delivered' | 'signaturesRefused'> => ({
  received: new Counter({
    name: 'millrace_activities_received_total',
    help: 'Activities of other servers that were processed, by type and outcome',
    labelNames: ['type', 'outcome'],
    registers,
  }),
  delivered: new Counter({
    name: 'millrace_deliveries_total',
    help: 'Attempts to deliver an activity to another server, by type and outcome',
    labelNames: ['type', 'outcome'],
    registers,
  }),
  signaturesRefused: new Counter({
    name: 'millrace_signatures_refused_total',
    help: 'Requests of other servers whose signature was refused, by the status of the answer',
    labelNames: ['status'],
    registers,
  }),
})

const createInstruments = (registers: Registry[]): Instruments => ({
  requests: new Counter({
    name: 'millrace_http_requests_total',
    help: 'Requests answered',
    labelNames: ['method', 'route', 'status'],
    registers,
  }),
  requestSeconds: new Histogram({
    name: 'millrace_http_request_duration_seconds',
    help: 'Time from the request to its response',
    labelNames: ['method', 'route'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
    registers,
  }),
  errors: new Counter({
    name: 'millrace_errors_total',
    help: 'Errors that the server recovered from, by part',
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
    help: 'Time from the writing of an event, just before its commit, to its writing to the sockets of its readers',
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers,
  }),
  pushes: new Counter({
    name: 'millrace_pushes_total',
    help: 'Attempts to send a push message, by outcome',
    labelNames: ['outcome'],
    registers,
  }),
  mails: new Counter({
    name: 'millrace_mails_total',
    help: 'Attempts to send an e-mail, by outcome',
    labelNames: ['outcome'],
    registers,
  }),
  ...createExchange(registers),
})

/** @param workers the server processes that share the port, when there are several */
export function createMetrics(workers?: WorkerMetrics): Metrics {
  const registry = new Registry()
  const registers = [registry]
  const collectors: (() => void)[] = []
  const caches = new Map<string, () => CacheFigures>()
  collectDefaultMetrics({ register: registry })
  showCaches(caches, registers)
  const collect = (): void => {
    for (const addBatch of collectors) addBatch()
  }
  workers?.respondWith(() => {
    collect()
    return registry.getMetricsAsJSON()
  })
  const gauge: Metrics['gauge'] = (name, help, read, together = 'sum') => {
    new Gauge({
      name,
      help,
      aggregator: together,
      registers,
      collect() {
        this.set(read())
      },
    })
  }
  showTimeSlices(gauge)
  const instruments = createInstruments(registers)
  return {
    ...instruments,
    gauge,
    sampled(gauges, read, everyMs) {
      showSamples(
        gauges,
        createSample(read, everyMs, () => instruments.errors.inc({ part: 'metrics' })),
        registers,
      )
    },
    cache: (name, read) => void caches.set(name, read),
    batched(counter, labels) {
      const batch = { count: 0 }
      collectors.push(() => {
        if (batch.count > 0) counter.inc(labels, batch.count)
        batch.count = 0
      })
      return batch
    },
    async render() {
      if (!workers) collect()
      const together = workers ? AggregatorRegistry.aggregate(await workers.gather()) : registry
      return { text: await together.metrics(), type: together.contentType }
    },
  }
}
