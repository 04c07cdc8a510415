import { html, type Content, type Html } from '../../core/html.ts'

export interface FieldOptions {
  label: string
  /** The parameter's name, such as `user[email]`. */
  name: string
  type?: 'text' | 'email' | 'password' | 'date'
  value?: string | undefined
  autocomplete?: string
  required?: boolean
  autofocus?: boolean
  maxLength?: number
  minLength?: number
  /** A regular expression that the browser checks. */
  pattern?: string
  inputMode?: 'numeric' | 'text'
  /** Shown below the field. */
  hint?: string | undefined
  /** The validation errors of the previous input. */
  errors?: readonly string[] | undefined
  /** For names and the like, which phones should not correct. */
  verbatim?: boolean
}

const idOf = (name: string): string => name.replace(/\]/g, '').replace(/\[/g, '_')

/** An input with its label, hint and errors, tied together for screen readers. */
export function field(options: FieldOptions): Html {
  const { label, name, hint, errors = [] } = options
  const id = idOf(name)
  const input = attributes({
    id,
    name,
    type: options.type ?? 'text',
    value: options.value,
    autocomplete: options.autocomplete,
    minlength: options.minLength,
    maxlength: options.maxLength,
    pattern: options.pattern,
    inputmode: options.inputMode,
    required: options.required,
    autofocus: options.autofocus,
    'aria-describedby': noteIds(id, hint, errors),
    'aria-invalid': errors.length > 0 ? 'true' : undefined,
    ...(options.verbatim && { autocapitalize: 'none', autocorrect: 'off', spellcheck: 'false' }),
  })
  return html`<div class="field">
    <label for="${id}">${label}</label>
    <input${input} />
    ${notes(id, hint, errors)}
  </div>`
}

export interface TextAreaOptions {
  label: string
  name: string
  value?: string | undefined
  maxLength: number
  required?: boolean
  hint?: string | undefined
  errors?: readonly string[] | undefined
}

/** A field with several lines. */
export function textArea({ label, name, value, maxLength, required, hint, errors = [] }: TextAreaOptions): Html {
  const id = idOf(name)
  const described = noteIds(id, hint, errors)
  const area = attributes({ id, name, rows: 4, maxlength: maxLength, required, 'aria-describedby': described })
  // HTML drops a line break at the start, which may belong to the text.
  return html`<div class="field">
    <label for="${id}">${label}</label>
    <textarea${area}>${'\n'}${value}</textarea>
    ${notes(id, hint, errors)}
  </div>`
}

export interface CheckboxOptions {
  label: Content
  name: string
  /** Default true: it must be checked. */
  required?: boolean
  /** Whether it is checked initially. Default false. */
  checked?: boolean
  errors?: readonly string[] | undefined
}

/** A checkbox; its label may contain links. */
export function checkbox({ label, name, required = true, checked = false, errors = [] }: CheckboxOptions): Html {
  const id = idOf(name)
  const described = noteIds(id, undefined, errors)
  const box = attributes({ id, name, type: 'checkbox', value: '1', required, checked, 'aria-describedby': described })
  return html`<div class="field">
    <div class="choice"><input${box} /><label for="${id}">${label}</label></div>
    ${notes(id, undefined, errors)}
  </div>`
}

export interface SelectOptions {
  label: string
  name: string
  /** Values with their labels. */
  choices: readonly (readonly [value: string, label: string])[]
  /** The selected value. */
  value: string
}

/** A select box. */
export function select({ label, name, choices, value }: SelectOptions): Html {
  const id = idOf(name)
  const options = choices.map(
    ([one, text]) => html`<option${attributes({ value: one, selected: one === value })}>${text}</option>`,
  )
  return html`<div class="field">
    <label for="${id}">${label}</label>
    <select${attributes({ id, name })}>
      ${options}
    </select>
  </div>`
}

/** A hidden value. */
export const hidden = (name: string, value: string): Html =>
  html`<input${attributes({ type: 'hidden', name, value })} />`

/** The attributes that are set, each after a space; true renders the name only. */
function attributes(given: Readonly<Record<string, string | number | boolean | undefined>>): Html[] {
  const set: Html[] = []
  for (const [name, value] of Object.entries(given)) {
    if (value === true) set.push(html` ${name}`)
    else if (value !== undefined && value !== false) set.push(html` ${name}="${value}"`)
  }
  return set
}

function noteIds(id: string, hint: string | undefined, errors: readonly string[]): string | undefined {
  const ids = [...(hint === undefined ? [] : [`${id}_hint`]), ...(errors.length > 0 ? [`${id}_error`] : [])]
  return ids.length > 0 ? ids.join(' ') : undefined
}

const notes = (id: string, hint: string | undefined, errors: readonly string[]): Html[] => [
  ...(hint === undefined ? [] : [html`<p class="hint" id="${id}_hint">${hint}</p>`]),
  ...(errors.length > 0 ? [html`<p class="error" id="${id}_error">${errors.join(', ')}</p>`] : []),
]
