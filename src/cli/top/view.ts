import { table } from '../table.ts'
import { quantileBound, byLabel, ratePerSecond, sumSeries, type Samples } from './samples.ts'

/** The content of a view: the server at two times, and the events in between. */
export interface Span {
  readonly before: Samples
  readonly after: Samples
  /** The number of events by kind. */
  readonly events: ReadonlyMap<string, number>
}

const MAX_KINDS = 12

const perSecond = (rate: number): string => `${rate >= 100 ? Math.round(rate) : rate.toFixed(1)}/s`
const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`

/** `≤ 25 ms`: a histogram only knows the bucket. */
function milliseconds(seconds: number | undefined): string {
  if (seconds === undefined) return '-'
  return seconds === Number.POSITIVE_INFINITY ? 'longer' : `≤ ${Number((seconds * 1000).toPrecision(3))} ms`
}

const formatCounts = (counts: ReadonlyMap<string, number>, show: (value: number) => string | number = String): string =>
  [...counts].map(([name, value]) => `${name} ${show(value)}`).join(', ') || 'none'

/** The errors in `millrace_errors_total` whose part has this prefix, by the rest of the part. */
function errorCounts(after: Samples, prefix: string): Map<string, number> {
  return new Map(
    [...byLabel(after, 'millrace_errors_total', 'part')]
      .filter(([part]) => part.startsWith(prefix))
      .map(([part, count]) => [part.slice(prefix.length), count]),
  )
}

function serverRows({ before, after }: Span): string[][] {
  const rate = (name: string): number => ratePerSecond(before, after, name)
  const lag = (share: number): string =>
    milliseconds(quantileBound(before, after, 'millrace_stream_lag_seconds', share))
  const duration = (share: number): string =>
    milliseconds(quantileBound(before, after, 'millrace_http_request_duration_seconds', share))
  const failures = [...byLabel(after, 'millrace_http_requests_total', 'status').keys()]
    .filter(status => status.startsWith('5'))
    .reduce((sum, status) => sum + ratePerSecond(before, after, 'millrace_http_requests_total', { status }), 0)
  return [
    [
      'process',
      `CPU ${Math.round(rate('process_cpu_seconds_total') * 100)} %, memory ` +
        `${megabytes(sumSeries(after, 'process_resident_memory_bytes'))}, event loop p99 ` +
        `${Math.round(sumSeries(after, 'nodejs_eventloop_lag_p99_seconds') * 1000)} ms`,
    ],
    [
      'requests',
      `${perSecond(rate('millrace_http_requests_total'))}, p50 ${duration(0.5)}, p99 ${duration(0.99)}, 5xx ${perSecond(failures)}`,
    ],
    ['connections', formatCounts(byLabel(after, 'millrace_streams', 'transport'))],
    ['messages', perSecond(rate('millrace_stream_messages_total'))],
    ['lag', `p50 ${lag(0.5)}, p99 ${lag(0.99)} from event to socket`],
    ['waiting', `${sumSeries(after, 'millrace_stream_events_waiting')} events on their way`],
    ['too slow', formatCounts(errorCounts(after, 'streaming_slow_'))],
    ['interrupted', formatCounts(errorCounts(after, 'streaming_interrupted_'))],
    [
      'database',
      `${sumSeries(after, 'millrace_database_connections')} connections, ${sumSeries(after, 'millrace_database_waiting')} waiting for one, ` +
        `slow ${perSecond(rate('millrace_slow_queries_total'))}`,
    ],
    ['pushes', formatCounts(byLabel(after, 'millrace_pushes_total', 'outcome'))],
  ]
}

/** The lines of a view. Counts without a rate are since the server's start. */
export function formatSpan(span: Span): string[] {
  const { before, after, events } = span
  const seconds = Math.max((after.atMs - before.atMs) / 1000, 0.001)
  const streams = [...byLabel(after, 'millrace_stream_subscriptions', 'stream')].filter(([, count]) => count > 0)
  const kinds = [...events].sort(([, a], [, b]) => b - a).slice(0, MAX_KINDS)
  return [
    ...table(['SERVER', ''], serverRows(span)),
    '',
    ...table(
      ['STREAM', 'SUBSCRIPTIONS'],
      streams.map(([name, count]) => [name, String(count)]),
    ),
    '',
    ...table(
      ['EVENT', 'RATE'],
      kinds.map(([kind, count]) => [kind, perSecond(count / seconds)]),
    ),
  ]
}
