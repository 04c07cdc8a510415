import { FIGURES, showFigure, type FigureName } from './figures.ts'
import { checkGoals, type Goal } from './goals.ts'
import { drawBars, drawLines, escapeText } from './plots.ts'
import { median, seriesOf, spread, valuesOf, type Report, type Series } from './report.ts'
import { showVerdict } from './table.ts'

const PERCENTILES: readonly FigureName[] = ['p50', 'p90', 'p99', 'p999', 'max']
const PLOTTED: readonly FigureName[] = [
  'rate',
  'delivery',
  'bytesEach',
  'everywhere',
  'start',
  'caughtUp',
  'databaseSeconds',
]

const STYLE = `body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1b2b31;background:#fff}
svg{width:100%;max-width:46rem;font-size:13px}svg text{fill:currentColor}.bar{fill:#1d6f8a}.whisker,.axis{stroke:currentColor;stroke-width:1;opacity:.5}
.line{fill:none;stroke-width:2}.s0{stroke:#1d6f8a}.s1{stroke:#c0632b}.s2{stroke:#5a8f3c}.s3{stroke:#8a4b9c}.s4{stroke:#b39b1f}.s5{stroke:#777}
figure{margin:1rem 0}figcaption{font-weight:600}table{border-collapse:collapse;font-size:14px}td,th{padding:.2rem .6rem;text-align:right;border-bottom:1px solid #8884}
td:first-child,th:first-child{text-align:left}.met{color:#2c7a3f}.missed{color:#b3261e}div.wide,pre{overflow:auto}h1,h2,p,li{overflow-wrap:anywhere}
@media(prefers-color-scheme:dark){body{color:#dbe7eb;background:#12191c}.bar{fill:#5fb3cd}.met{color:#7fd193}.missed{color:#ff8a80}}`

function plotFigure(name: FigureName, series: readonly Series[]): string {
  const rows = series.flatMap(one => {
    const values = valuesOf(one, name)
    if (values.length === 0) return []
    // As it is shown: what is rounded to 0 is drawn as nought.
    const value = Number(median(values).toFixed(FIGURES[name].digits))
    return [{ label: one.subject, value, spread: spread(values), text: showFigure(name, value) }]
  })
  const unit = name === 'rate' ? `${series[0]?.unit ?? ''} a second` : FIGURES[name].label
  return rows.length === 0 ? '' : drawBars(`${unit}, median of the rounds`, rows)
}

/** The latency of the fastest half, nine of ten … requests, on a logarithmic scale. */
function plotLatency(series: readonly Series[]): string {
  const lines = series.flatMap(one => {
    const points = PERCENTILES.flatMap((name, index) => {
      const values = valuesOf(one, name)
      return values.length === 0 ? [] : [{ x: index, y: median(values) }]
    })
    return points.length < 2 ? [] : [{ label: one.subject, points }]
  })
  const ticks = PERCENTILES.map((name, index) => ({ x: index, label: FIGURES[name].label.replace(' ms', '') }))
  return lines.length === 0 ? '' : drawLines('latency, milliseconds', lines, { ticks, logarithmic: true })
}

function plotMemory(series: readonly Series[]): string {
  const lines = series.flatMap(one => {
    const points = one.rounds.at(-1)?.memory?.map(({ seconds, megabytes }) => ({ x: seconds, y: megabytes })) ?? []
    return points.length < 2 ? [] : [{ label: one.subject, points }]
  })
  const last = Math.max(0, ...lines.flatMap(({ points }) => points.map(({ x }) => x)))
  const ticks = [0, 0.25, 0.5, 0.75, 1].map(part => ({ x: part * last, label: `${Math.round(part * last)} s` }))
  return lines.length === 0 ? '' : drawLines('memory, MB', lines, { ticks, logarithmic: false })
}

function tableOf(series: readonly Series[]): string {
  const names = (Object.keys(FIGURES) as FigureName[]).filter(name =>
    series.some(one => valuesOf(one, name).length > 0),
  )
  const head = ['', ...names.map(name => FIGURES[name].label)].map(text => `<th>${text}</th>`).join('')
  const rows = series.map(one => {
    const cells = names.map(name => {
      const values = valuesOf(one, name)
      if (values.length === 0) return '<td></td>'
      const around = values.length > 1 ? ` ±${showFigure(name, spread(values))}` : ''
      return `<td>${showFigure(name, median(values))}${around}</td>`
    })
    return `<tr><td>${escapeText(one.subject)}</td>${cells.join('')}</tr>`
  })
  return `<div class="wide"><table><tr>${head}</tr>${rows.join('')}</table></div>`
}

/** The database's work for the server in the last round. */
function statementsOf(series: readonly Series[]): string {
  const statements = series.flatMap(one => one.rounds.at(-1)?.statements ?? [])
  if (statements.length === 0) return ''
  const rows = statements.map(
    ({ text, calls, seconds }) =>
      `<tr><td><code>${escapeText(text)}</code></td><td>${Math.round(calls).toLocaleString('en')}</td><td>${seconds.toFixed(2)}</td></tr>`,
  )
  return `<details><summary>Statements of the last round</summary><div class="wide"><table><tr><th>statement</th><th>calls</th><th>seconds</th></tr>${rows.join('')}</table></div></details>`
}

function section(scenario: string, series: readonly Series[]): string {
  const plots = [...PLOTTED.map(name => plotFigure(name, series)), plotLatency(series), plotMemory(series)]
  return `<section><h2>${escapeText(scenario)}</h2>${plots.join('')}${tableOf(series)}${statementsOf(series)}</section>`
}

function goalsOf(report: Report, goals: readonly Goal[]): string {
  const rows = checkGoals(report, goals).map(verdict => {
    const { scenario, text } = verdict.goal
    const tone = verdict.met ? 'met' : 'missed'
    return `<tr><td>${escapeText(scenario)}</td><td>${escapeText(text)}</td><td class="${tone}">${escapeText(showVerdict(verdict))}</td></tr>`
  })
  return rows.length === 0 ? '' : `<h2>Targets</h2><div class="wide"><table>${rows.join('')}</table></div>`
}

/** A self-contained page with plots and figures of the report. */
export function renderHtml(report: Report, goals: readonly Goal[]): string {
  const series = seriesOf(report)
  const sections = [...new Set(series.map(one => one.scenario))].map(name =>
    section(
      name,
      series.filter(one => one.scenario === name),
    ),
  )
  const { machine, options } = report
  const notes = report.warnings.map(warning => `<li>${escapeText(warning)}</li>`).join('')
  const about = `${report.startedAt} · ${machine.cpu}, ${machine.cores} cores, ${Math.round(machine.memoryBytes / 2 ** 30)} GiB · Node ${machine.node} · ${options.seconds} s a measurement after ${options.warmup} s of warm-up, ${options.repeat} rounds`
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Bench ${escapeText(report.startedAt)}</title><style>${STYLE}</style></head><body><h1>Bench of ${escapeText(report.target)}</h1><p>${escapeText(about)}</p><pre>${escapeText(report.command)}</pre>${notes === '' ? '' : `<ul>${notes}</ul>`}${goalsOf(report, goals)}${sections.join('')}</body></html>
`
}
