import { median, seriesOf, type Report, type Series } from './report.ts'

const escape = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

const WIDTH = 640
const ROW = 26
const LABEL = 220

interface Bar {
  label: string
  value: number
  text: string
}

/** Horizontal bars from zero on, one a subject. */
function bars(title: string, rows: readonly Bar[]): string {
  const largest = Math.max(...rows.map(row => row.value), Number.MIN_VALUE)
  const drawn = rows.map((row, index) => {
    const width = Math.max(1, (row.value / largest) * (WIDTH - LABEL - 130))
    const y = index * ROW
    return `<text x="${LABEL - 8}" y="${y + 17}" text-anchor="end">${escape(row.label)}</text><rect x="${LABEL}" y="${y + 4}" width="${width.toFixed(1)}" height="${ROW - 8}" rx="2"/><text x="${LABEL + width + 6}" y="${y + 17}">${escape(row.text)}</text>`
  })
  return `<figure><figcaption>${escape(title)}</figcaption><svg viewBox="0 0 ${WIDTH} ${rows.length * ROW}" role="img" aria-label="${escape(title)}">${drawn.join('')}</svg></figure>`
}

function section(scenario: string, series: readonly Series[]): string {
  const unit = series[0]?.unit ?? ''
  const rate = (one: Series): number => median(one.rounds.map(round => round.rate))
  const rates = series.map(one => ({
    label: one.subject,
    value: rate(one),
    text: Math.round(rate(one)).toLocaleString('en'),
  }))
  const at = (one: Series, key: 'p50' | 'p99'): number => median(one.rounds.map(round => round.latency[key]))
  const latency = (key: 'p50' | 'p99') =>
    series.map(one => ({ label: one.subject, value: at(one, key), text: `${at(one, key).toFixed(2)} ms` }))
  return `<section><h2>${escape(scenario)}</h2>${bars(`${unit} a second, median of ${series[0]?.rounds.length ?? 0} rounds`, rates)}${bars('latency, half of them (p50)', latency('p50'))}${bars('latency, 99 of 100 (p99)', latency('p99'))}</section>`
}

/** A self-contained page with plots of the report and its figures. */
export function renderHtml(report: Report): string {
  const series = seriesOf(report)
  const scenarios = [...new Set(series.map(one => one.scenario))]
  const sections = scenarios.map(name =>
    section(
      name,
      series.filter(one => one.scenario === name),
    ),
  )
  const { machine } = report
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Bench ${escape(report.startedAt)}</title><style>
body{font:16px/1.5 system-ui,sans-serif;max-width:44rem;margin:2rem auto;padding:0 1rem;color:#1b2b31;background:#fff}
svg{width:100%;fill:#1d6f8a}svg text{fill:currentColor;font-size:13px}figure{margin:1rem 0}figcaption{font-weight:600}
pre{overflow:auto;background:#eef4f6;padding:1rem}@media(prefers-color-scheme:dark){body{color:#dbe7eb;background:#12191c}pre{background:#1c272b}svg{fill:#5fb3cd}}
</style></head><body><h1>Bench of ${escape(report.target)}</h1><p>${escape(report.startedAt)} · ${escape(machine.cpu)}, ${machine.cores} cores, ${Math.round(machine.memoryBytes / 2 ** 30)} GiB · Node ${escape(machine.node)} · ${report.options.seconds} s a measurement after ${report.options.warmup} s of warm-up</p>${sections.join('')}<h2>Figures</h2><pre>${escape(JSON.stringify(report.results, undefined, 1))}</pre></body></html>`
}
