import { html, type Content, type Html } from '../../core/html.ts'
import { attributes, hidden, idOf, noteIds, notes, withErrors } from './field.ts'

export interface ToggleOptions {
  label: Content
  name: string
  checked: boolean
  /** Shown below the label. */
  hint?: string | undefined
  errors?: readonly string[] | undefined
}

/**
 * A checkbox that also sends its value when it is off, so that a form without it changes nothing.
 */
export function toggle({ label, name, checked, hint, errors = [] }: ToggleOptions): Html {
  const id = idOf(name)
  const described = noteIds(id, hint, errors)
  const box = attributes({ id, name, type: 'checkbox', value: '1', checked, 'aria-describedby': described })
  const content = html`<div class="field">
    <div class="choice">
      ${hidden(name, '0')}<input${box} /><label for="${id}"
        >${label}${hint !== undefined && html`<span class="hint" id="${id}_hint">${hint}</span>`}</label
      >
    </div>
    ${notes(id, undefined, errors)}
  </div>`
  return withErrors(content, id, label, errors)
}

export interface ChoicesOptions {
  legend: string
  /** A list: each box is named by the place of its choice in it. */
  name: string
  choices: readonly (readonly [value: string, label: string])[]
  chosen: ReadonlySet<string>
  hint?: string | undefined
  errors?: readonly string[] | undefined
  /** A long list scrolls by itself. */
  long?: boolean
}

export interface RadiosOptions extends Omit<ChoicesOptions, 'chosen' | 'long'> {
  /** The chosen value. */
  value: string
}

/** Radio buttons, of which one is chosen. */
export function radios({ legend, name, choices: all, value, hint, errors = [] }: RadiosOptions): Html {
  const id = idOf(name)
  const buttons = all.map(([one, label]) => {
    const button = { id: `${id}_${one}`, name, type: 'radio', value: one, checked: one === value }
    return html`<div class="choice"><input${attributes(button)} /><label for="${button.id}">${label}</label></div>`
  })
  const content = html`<fieldset ${attributes({ 'aria-describedby': noteIds(id, hint, errors) })}>
    <legend>${legend}</legend>
    ${notes(id, hint, errors)} ${buttons}
  </fieldset>`
  return withErrors(content, `${id}_${all[0]?.[0] ?? ''}`, legend, errors)
}

/** Checkboxes of one list. The list is sent even when nothing is chosen. */
export function choices(options: ChoicesOptions): Html {
  const { legend, name, chosen, hint, errors = [], long = false } = options
  const id = idOf(name)
  const boxes = options.choices.map(([value, label], index) => {
    const box = { id: `${id}_${index}`, name: `${name}[${index}]`, type: 'checkbox', value, checked: chosen.has(value) }
    return html`<div class="choice"><input${attributes(box)} /><label for="${box.id}">${label}</label></div>`
  })
  const content = html`<fieldset ${attributes({ 'aria-describedby': noteIds(id, hint, errors) })}>
    <legend>${legend}</legend>
    ${notes(id, hint, errors)} ${hidden(`${name}[-1]`, '')}
    ${long ? html`<div class="choices-list" tabindex="0" role="group" aria-label="${legend}">${boxes}</div>` : boxes}
  </fieldset>`
  return withErrors(content, `${id}_0`, legend, errors)
}
