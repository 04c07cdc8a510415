import { median, seriesOf, type Report } from './report.ts'

const number = (value: number, digits = 0): string =>
  Number.isFinite(value)
    ? value.toLocaleString('en', { maximumFractionDigits: digits, minimumFractionDigits: digits })
    : '-'

/** Prints medians over the rounds; `spread` is half of the range of the rates in per cent of the median. */
export function printTable(report: Report): void {
  const heading = [
    'scenario',
    'subject',
    'rate/s',
    '±%',
    'p50 ms',
    'p99 ms',
    'max ms',
    'errors',
    'lost',
    'load CPU',
    'server CPU',
    'MB',
  ]
  const rows = seriesOf(report).map(({ scenario, subject, unit, rounds }) => {
    const rates = rounds.map(round => round.rate)
    const rate = median(rates)
    const memory = rounds.at(-1)?.serverMemoryBytes
    return [
      scenario,
      subject,
      `${number(rate)} ${unit}`,
      number(((Math.max(...rates) - Math.min(...rates)) / 2 / rate) * 100, 1),
      number(median(rounds.map(round => round.latency.p50)), 2),
      number(median(rounds.map(round => round.latency.p99)), 2),
      number(Math.max(...rounds.map(round => round.latency.max)), 1),
      number(rounds.reduce((sum, round) => sum + round.errors, 0)),
      number(rounds.reduce((sum, round) => sum + round.lost, 0)),
      number(median(rounds.map(round => round.loadCpu)), 2),
      number(median(rounds.map(round => round.serverCpu ?? Number.NaN)), 2),
      memory === undefined ? '-' : number(memory / 1024 / 1024),
    ]
  })
  const widths = heading.map((title, column) => Math.max(title.length, ...rows.map(row => row[column]?.length ?? 0)))
  for (const row of [heading, ...rows]) {
    const cells = row.map((cell, column) =>
      column < 2 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
    )
    process.stdout.write(`${cells.join('  ').trimEnd()}\n`)
  }
}
