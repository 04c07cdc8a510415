/** One series of a metric. */
export interface Sample {
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

/** A server's metrics at a time. */
export interface Samples {
  /** On the clock of `performance.now()`. */
  readonly atMs: number
  readonly byName: ReadonlyMap<string, readonly Sample[]>
}

const LINE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\.)*)"/g

/**
 * Parses Prometheus' text format (https://prometheus.io/docs/instrumenting/exposition_formats/).
 * Invalid lines are ignored.
 */
export function parseSamples(text: string, atMs: number): Samples {
  const byName = new Map<string, Sample[]>()
  for (const line of text.split('\n')) {
    const [, name, labels = '', value] = LINE.exec(line) ?? []
    if (name === undefined || value === undefined) continue
    const sample = {
      labels: Object.fromEntries([...labels.matchAll(LABEL)].map(([, key = '', text_ = '']) => [key, text_])),
      value: value === '+Inf' ? Number.POSITIVE_INFINITY : Number(value),
    }
    const others = byName.get(name)
    if (others) others.push(sample)
    else byName.set(name, [sample])
  }
  return { atMs, byName }
}

/** The sum of a metric's series with these labels; 0 if there are none. */
export function sumSeries({ byName }: Samples, name: string, labels: Readonly<Record<string, string>> = {}): number {
  const expected = Object.entries(labels)
  return (byName.get(name) ?? [])
    .filter(sample => expected.every(([key, value]) => sample.labels[key] === value))
    .reduce((sum, { value }) => sum + value, 0)
}

/** The values of a metric by a label, sorted. */
export function byLabel({ byName }: Samples, name: string, label: string): Map<string, number> {
  const sums = new Map<string, number>()
  for (const { labels, value } of byName.get(name) ?? []) {
    const key = labels[label] ?? ''
    sums.set(key, (sums.get(key) ?? 0) + value)
  }
  return new Map([...sums].sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** A counter's growth per second; a counter of a restarted server begins at 0. */
export function ratePerSecond(
  before: Samples,
  after: Samples,
  name: string,
  labels?: Readonly<Record<string, string>>,
): number {
  const now = sumSeries(after, name, labels)
  const then = sumSeries(before, name, labels)
  return (now < then ? now : now - then) / Math.max((after.atMs - before.atMs) / 1000, 0.001)
}

/**
 * The upper bound of the bucket with this share of a histogram's observations between two samples,
 * in the histogram's unit; undefined without observations.
 * @param share such as 0.99
 */
export function quantileBound(before: Samples, after: Samples, name: string, share: number): number | undefined {
  const bounds = [...byLabel(after, `${name}_bucket`, 'le')].map(([text, count]) => ({
    bound: text === '+Inf' ? Number.POSITIVE_INFINITY : Number(text),
    count: count - sumSeries(before, `${name}_bucket`, { le: text }),
  }))
  bounds.sort((a, b) => a.bound - b.bound)
  const all = bounds.at(-1)?.count ?? 0
  return all > 0 ? bounds.find(({ count }) => count >= all * share)?.bound : undefined
}
