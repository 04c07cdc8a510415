import { html, type Content, type Html } from '../../core/html.ts'

export type Tone = 'neutral' | 'good' | 'warning' | 'bad'

/** A short state, such as "Suspended". The colour repeats what the text says. */
export const badge = (text: string, tone: Tone = 'neutral'): Html => html`<span class="badge ${tone}">${text}</span>`

/** Terms with their values; an entry without a value (false, null or undefined) is left out. */
export const facts = (entries: readonly (readonly [term: string, value: Content])[]): Html =>
  html`<dl class="facts">
    ${entries
      .filter(([, value]) => value !== false && value !== null && value !== undefined)
      .map(
        ([term, value]) =>
          html`<div>
            <dt>${term}</dt>
            <dd>${value}</dd>
          </div>`,
      )}
  </dl>`
