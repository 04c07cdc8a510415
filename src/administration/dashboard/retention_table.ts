import type { Translator } from '../../platform/i18n/index.ts'
import { html, section, type Html } from '../../platform/ui/index.ts'
import type { SizedCohort } from '../measures/index.ts'
import { formatMonth, formatNumber, formatPercent } from './format.ts'

const SHADES = 5

/** Users by the month of their sign-up, and the share of them who signed in later. */
export function retentionTable(translator: Translator, cohorts: readonly SizedCohort[]): Html {
  const t = translator.t
  const title = t('dashboard.retention')
  const headings = (cohorts[0]?.cohort.data ?? []).map(
    (_, months) => html`<th scope="col" class="number">${t('dashboard.months_later', { count: months })}</th>`,
  )
  const rows = cohorts.map(({ cohort: { period, data }, size }) => {
    const cells = data.map(({ rate, value }) => {
      const shade = `shade-${Math.ceil(rate * SHADES)}`
      return html`<td class="number ${shade}" title="${formatNumber(translator, value)}">
        ${size === 0 ? '–' : formatPercent(translator, rate)}
      </td>`
    })
    return html`<tr>
      <th scope="row">${formatMonth(translator, period)}</th>
      <td class="number">${formatNumber(translator, size)}</td>
      ${cells}
    </tr>`
  })
  return section(
    'retention',
    title,
    html`<p class="quiet">${t('dashboard.retention_hint')}</p>
      <div class="scrolled" role="group" aria-labelledby="retention_title" tabindex="0">
        <table class="cohorts">
          <caption class="spoken">
            ${title}
          </caption>
          <thead>
            <tr>
              <th scope="col">${t('dashboard.sign_up')}</th>
              <th scope="col" class="number">${t('dashboard.measure.new_users')}</th>
              ${headings}
            </tr>
          </thead>
          <tbody>
            ${rows}
          </tbody>
        </table>
      </div>`,
  )
}
