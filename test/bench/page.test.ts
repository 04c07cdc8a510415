import assert from 'node:assert/strict'
import { test } from 'tap'
import type { Figures } from '../../bench/report/figures.ts'
import { renderHtml } from '../../bench/report/html.ts'
import type { Report } from '../../bench/report/report.ts'
import { showReport } from '../../bench/report/table.ts'
import { CHROMIUM, DESKTOP, PHONE, startChromium } from '../support/chromium.ts'

const LONG = 'a tenth of the viewers with blocks, mutes and filters, against the server before it'

const NONE: Figures = { rate: 0, p50: 0, p90: 0, p99: 0, p999: 0, max: 0, errors: 0, memory: 0, start: 0 }
const MUCH: Figures = {
  rate: 1_234_567,
  p50: 0,
  p90: 0.02,
  p99: 1_234_567,
  max: 2_345_678,
  start: 0.4,
  bytesEach: 12,
}

const report: Report = {
  startedAt: '2030-01-01T00:00:00.000Z',
  machine: { cpu: 'a processor with a long name '.repeat(3), cores: 2, memoryBytes: 2 ** 30, node: 'v22' },
  target: `https://${'a'.repeat(60)}.example.com`,
  command: `npm run bench -- ${'fanout-public '.repeat(12)}`,
  options: { seconds: 1, warmup: 0, repeat: 2 },
  results: [LONG, 'server', 'bare'].flatMap((subject, index) =>
    [1, 2].map(round => ({
      scenario: 'fanout-public',
      subject,
      round,
      unit: 'messages',
      figures: index === 1 ? NONE : MUCH,
      memory: [0, 1, 2].map(seconds => ({ seconds, megabytes: index === 1 ? 0 : 1_000_000 * seconds })),
      statements: [{ text: `select ${'a_long_name, '.repeat(40)}`, calls: 1, seconds: 0 }],
    })),
  ),
  warnings: ['x'.repeat(200)],
}

test('a report of noughts has no figures that are not numbers', async () => {
  assert.doesNotMatch(renderHtml(report, []), /NaN|Infinity|undefined/)
  assert.doesNotMatch(showReport(report, []), /NaN|Infinity|undefined/)
})

/** The drawn parts that are not whole in their picture. */
const OUTSIDE = `[...document.querySelectorAll('svg')].flatMap(svg => {
  const { width, height } = svg.viewBox.baseVal
  return [...svg.querySelectorAll('text, rect, line, polyline')].flatMap(one => {
    const box = one.getBBox()
    const fits = box.x >= 0 && box.y >= -1 && box.x + box.width <= width && box.y + box.height <= height
    return fits ? [] : [svg.getAttribute('aria-label') + ': ' + one.outerHTML]
  })
})`

const skip = CHROMIUM === undefined && 'Chromium is not installed'

test('the page of a report does not overflow, and draws nought as nought', { skip }, async t => {
  const browser = await startChromium(t)
  for (const viewport of [PHONE, DESKTOP]) {
    const page = await browser.newPage({ viewport })
    await page.setContent(renderHtml(report, []))
    await page.evaluate(`for (const details of document.querySelectorAll('details')) details.open = true`)
    assert.ok((await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')) <= 0)
    assert.deepEqual(await page.evaluate<string[]>(OUTSIDE), [])
    const bars = await page.evaluate<number[]>(
      `[...document.querySelector('svg').querySelectorAll('rect')].map(bar => bar.width.baseVal.value)`,
    )
    assert.equal(bars.length, 3)
    assert.deepEqual([bars[1], (bars[0] ?? 0) > 100], [0, true])
    // What is shown as 0 is drawn as nought too.
    assert.deepEqual(
      await page.evaluate<number[]>(
        `[...document.querySelectorAll('svg[aria-label^=start] rect')].map(bar => bar.width.baseVal.value)`,
      ),
      [0, 0, 0],
    )
    await page.close()
  }
})
