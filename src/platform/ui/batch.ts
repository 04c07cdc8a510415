import { html, type Content, type Html } from '../../core/html.ts'
import type { Translator } from '../i18n/index.ts'
import { attributes, checkbox } from './field.ts'
import { form, noDefaultButton, submitAs, type FormOptions } from './form.ts'

/** An entry of a list whose entries can be chosen. */
export interface BatchItem {
  /** The value that is sent when it is chosen, usually its id. */
  readonly value: string
  /** Its name, for the checkbox. */
  readonly name: string
  readonly content: Content
  /** Whether it is chosen initially. Default false. */
  readonly checked?: boolean
}

/** A button that does something with the chosen entries; its value is sent as `change`. */
export interface BatchButton {
  readonly value: string
  readonly label: string
  readonly kind?: 'primary' | 'plain' | 'danger'
  /** What it does cannot be undone: a checkbox, sent as `sure`, must be ticked. */
  readonly confirmed?: boolean
}

export interface BatchOptions extends Pick<FormOptions, 'action' | 'method' | 'csrfToken'> {
  readonly translator: Translator
  /** Without buttons it is a plain list. */
  readonly buttons: readonly BatchButton[]
  readonly items: readonly BatchItem[]
  /** Shown instead of a list without entries. */
  readonly empty: string
  /** The parameter of the chosen values, default `ids[]`. */
  readonly name?: string
  /** More fields, above the list. */
  readonly fields?: Content
}

/**
 * A form around a list: its entries are chosen by checkboxes, its buttons change all chosen ones.
 * `/assets/batch.js` adds a checkbox that chooses all of them.
 */
export function batch(options: BatchOptions): Html {
  const { translator, buttons, items, empty, name = 'ids[]' } = options
  if (items.length === 0) return html`<p class="empty">${empty}</p>`
  const choosable = buttons.length > 0
  const entries = items.map(
    ({ value, name: label, content, checked }) =>
      html`<li class="batch-item">
        ${choosable && html`<input${attributes({ type: 'checkbox', name, value, checked, 'aria-label': label })} />`}
        <div class="batch-content">${content}</div>
      </li>`,
  )
  const list = html`<ul class="batch-list">
    ${entries}
  </ul>`
  if (!choosable) return html`<div class="batch">${list}</div>`
  const tools = html`<div class="batch-tools">
    <label class="choice" hidden><input type="checkbox" data-batch="all" /> ${translator.t('ui.select_all')}</label>
    <div class="buttons">
      ${buttons.map(({ value, label, kind, confirmed = false }) => submitAs('change', value, label, kind, { unchecked: !confirmed }))}
    </div>
  </div>`
  const confirmed = buttons.filter(button => button.confirmed).map(({ label }) => label)
  const actions = confirmed.join(', ')
  const sure =
    confirmed.length > 0 &&
    checkbox({ id: 'batch_sure', label: translator.t('ui.batch_sure', { actions }), name: 'sure' })
  const { action, method, csrfToken, fields } = options
  return form({ action, csrfToken, class: 'batch', ...(method && { method }) }, [
    noDefaultButton,
    fields,
    sure,
    tools,
    list,
  ])
}
