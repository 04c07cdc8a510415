import type { Translator } from '../../platform/i18n/index.ts'
import { disclosure, html, section, type Html } from '../../platform/ui/index.ts'
import type { Measure } from '../measures/index.ts'
import { compactTable } from './compact_table.ts'
import { formatChange, formatDay, formatNumber } from './format.ts'

const WIDTH = 310
const HEIGHT = 64
const GAP = 2
/** The height of a day without activity, so that it is visible. */
const MIN_HEIGHT = 1

/** A bar chart by day with a text description; the unfinished current day is lighter. */
function barChart(translator: Translator, name: string, { data }: Measure): Html {
  const values = data.map(({ value }) => Number(value))
  const maximum = Math.max(...values, 1)
  const step = WIDTH / Math.max(values.length, 1)
  const rectangles = values.map((value, index) => {
    const height = Math.max((value / maximum) * HEIGHT, MIN_HEIGHT)
    const box = {
      x: (index * step).toFixed(1),
      y: (HEIGHT - height).toFixed(1),
      width: (step - GAP).toFixed(1),
      height: height.toFixed(1),
    }
    const label = `${formatDay(translator, data[index]?.date ?? '')}: ${formatNumber(translator, value)}`
    const kind = index === values.length - 1 && 'unfinished'
    return html`<rect x="${box.x}" y="${box.y}" width="${box.width}" height="${box.height}" class="${kind}">
      <title>${label}</title>
    </rect>`
  })
  const [first, last] = [data[0]?.date ?? '', data.at(-1)?.date ?? '']
  const description = translator.t('dashboard.plot', {
    name,
    first: formatDay(translator, first),
    last: formatDay(translator, last),
    min: formatNumber(translator, Math.min(...values)),
    max: formatNumber(translator, Math.max(...values)),
  })
  return html`<svg
      class="bars"
      viewBox="0 0 ${WIDTH} ${HEIGHT}"
      preserveAspectRatio="none"
      role="img"
      aria-label="${description}"
    >
      ${rectangles}
    </svg>
    <p class="ends" aria-hidden="true">
      <span>${formatDay(translator, first)}</span><span>${formatDay(translator, last)}</span>
    </p>`
}

/** The change of the total since the previous period. */
function change(translator: Translator, { total, previous_total: previous = '0' }: Measure): Html {
  const [now, before] = [Number(total), Number(previous)]
  const text =
    before === 0
      ? translator.t('dashboard.before', { value: formatNumber(translator, before) })
      : translator.t('dashboard.change', {
          change: formatChange(translator, (now - before) / before),
          value: formatNumber(translator, before),
        })
  return html`<p class="quiet change">${text}</p>`
}

/** A section with a figure's total, its bar chart by day, and the same days as a table. */
export function plot(translator: Translator, name: string, measure: Measure): Html {
  const rows = measure.data
    .toReversed()
    .map(({ date, value }): [string, string] => [formatDay(translator, date), formatNumber(translator, value)])
  return section(
    measure.key,
    name,
    html`<p class="total">${formatNumber(translator, measure.total)}</p>
      ${change(translator, measure)} ${barChart(translator, name, measure)}
      ${disclosure(translator.t('dashboard.by_day'), compactTable(name, [translator.t('dashboard.day'), name], rows))}`,
  )
}
