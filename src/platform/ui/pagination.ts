import { html, type Html } from '../../core/html.ts'
import type { Translator } from '../i18n/index.ts'

/** The addresses of the neighbouring pages of a list; a missing one has no link. */
export interface PageLinks {
  readonly newer?: string | undefined
  readonly older?: string | undefined
}

/** Links to the neighbouring pages of a list. */
export function pageLinks(translator: Translator, { newer, older }: PageLinks): Html | null {
  if (newer === undefined && older === undefined) return null
  return html`<nav class="pages" aria-label="${translator.t('ui.pages')}">
    ${newer !== undefined && html`<a class="button plain" href="${newer}" rel="prev">← ${translator.t('ui.newer')}</a>`}
    ${older !== undefined && html`<a class="button plain" href="${older}" rel="next">${translator.t('ui.older')} →</a>`}
  </nav>`
}

/** A link above a list that shows another part of it. */
interface FilterLink {
  readonly target: string
  readonly label: string
  readonly current: boolean
  /** The number of entries behind it. */
  readonly count?: number | undefined
}

/** Links that choose the part of a list to show, such as "Open" and "Resolved". */
export const filterLinks = (label: string, links: readonly FilterLink[]): Html =>
  html`<nav class="parts" aria-label="${label}">
    <ul>
      ${links.map(
        ({ target, label: text, current, count }) =>
          html`<li>
            <a href="${target}" ${current && html` aria-current="true"`}
              >${text}${count !== undefined && html` <span class="count">${count}</span>`}</a
            >
          </li>`,
      )}
    </ul>
  </nav>`
