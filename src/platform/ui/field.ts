import { Html, html, type Content } from '../../core/html.ts'

export interface FieldOptions {
  label: string
  /** The parameter's name, such as `user[email]`. */
  name: string
  type?: 'text' | 'email' | 'password' | 'date' | 'datetime-local' | 'number' | 'file' | 'url' | 'search' | 'color'
  value?: string | undefined
  /** Default: made from the name. Needed when two forms of a page have fields of the same name. */
  id?: string
  autocomplete?: string
  required?: boolean
  autofocus?: boolean
  maxLength?: number
  minLength?: number
  /** The limits of a number or date. */
  min?: number | string
  max?: number | string
  /** The media types of a file. */
  accept?: string
  /** A regular expression that the browser checks. */
  pattern?: string
  inputMode?: 'numeric' | 'text'
  /** Shown below the field. */
  hint?: string | undefined
  /** The validation errors of the previous input. */
  errors?: readonly string[] | undefined
  /** For names and codes, which phones should not autocorrect. */
  verbatim?: boolean
  /** The alternative text of the preview that `PREVIEW_SCRIPT` shows of a chosen file. */
  preview?: string
}

/** The script of pages on which pictures are chosen for upload; their policy allows it. */
export const PREVIEW_SCRIPT = '/assets/picture_preview.js'

export const idOf = (name: string): string => name.replace(/\]/g, '').replace(/\[/g, '_')

/** An input with its label, hint and errors, tied together for screen readers. */
export function field(options: FieldOptions): Html {
  const { label, name, hint, errors = [], id = idOf(name) } = options
  const input = attributes({
    id,
    name,
    type: options.type ?? 'text',
    value: options.value,
    autocomplete: options.autocomplete,
    minlength: options.minLength,
    maxlength: options.maxLength,
    min: options.min,
    max: options.max,
    accept: options.accept,
    pattern: options.pattern,
    inputmode: options.inputMode,
    required: options.required,
    autofocus: options.autofocus,
    'aria-describedby': noteIds(id, hint, errors),
    'aria-invalid': errors.length > 0 ? 'true' : undefined,
    'data-preview': options.preview,
    ...(options.verbatim && { autocapitalize: 'none', autocorrect: 'off', spellcheck: 'false' }),
  })
  const content = html`<div class="field">
    <label for="${id}">${label}</label>
    <input${input} />
    ${notes(id, hint, errors)}
  </div>`
  return withErrors(content, id, label, errors)
}

export interface TextAreaOptions {
  label: string
  name: string
  id?: string
  value?: string | undefined
  /** In UTF-16 units; not for texts whose length is counted otherwise. */
  maxLength?: number
  required?: boolean
  /** Default 4. */
  rows?: number
  hint?: string | undefined
  errors?: readonly string[] | undefined
}

/** A field with several lines. */
export function textArea(options: TextAreaOptions): Html {
  const { label, name, value, maxLength, required, rows = 4, hint, errors = [], id = idOf(name) } = options
  const area = attributes({
    id,
    name,
    rows,
    maxlength: maxLength,
    required,
    'aria-describedby': noteIds(id, hint, errors),
    'aria-invalid': errors.length > 0 ? 'true' : undefined,
  })
  // HTML drops a line break at the start, which may belong to the text.
  const content = html`<div class="field">
    <label for="${id}">${label}</label>
    <textarea${area}>${'\n'}${value}</textarea>
    ${notes(id, hint, errors)}
  </div>`
  return withErrors(content, id, label, errors)
}

export interface CheckboxOptions {
  label: Content
  name: string
  id?: string
  /** Default true: it must be checked. */
  required?: boolean
  /** Whether it is checked initially. Default false. */
  checked?: boolean
  hint?: string | undefined
  errors?: readonly string[] | undefined
}

/** A checkbox; its label may contain links. */
export function checkbox(options: CheckboxOptions): Html {
  const { label, name, required = true, checked = false, hint, errors = [], id = idOf(name) } = options
  const described = noteIds(id, hint, errors)
  const box = attributes({ id, name, type: 'checkbox', value: '1', required, checked, 'aria-describedby': described })
  const content = html`<div class="field">
    <div class="choice"><input${box} /><label for="${id}">${label}</label></div>
    ${notes(id, hint, errors)}
  </div>`
  return withErrors(content, id, label, errors)
}

export interface SelectOptions {
  label: string
  name: string
  id?: string
  /** Values with their labels. */
  choices: readonly (readonly [value: string, label: string])[]
  /** The selected value. */
  value: string
  hint?: string | undefined
  errors?: readonly string[] | undefined
  /** Attributes for the page's script, without `data-`. */
  data?: Readonly<Record<string, string>>
}

/** A select box. */
export function select(selectOptions: SelectOptions): Html {
  const { label, name, choices, value, hint, errors = [], id = idOf(name), data = {} } = selectOptions
  const described = noteIds(id, hint, errors)
  const options = choices.map(
    ([one, text]) => html`<option${attributes({ value: one, selected: one === value })}>${text}</option>`,
  )
  const content = html`<div class="field">
    <label for="${id}">${label}</label>
    <select${attributes({ id, name, 'aria-describedby': described, 'aria-invalid': errors.length > 0 ? 'true' : undefined, ...dataOf(data) })}>
      ${options}
    </select>
    ${notes(id, hint, errors)}
  </div>`
  return withErrors(content, id, label, errors)
}

/** A hidden value. */
export const hidden = (name: string, value: string): Html =>
  html`<input${attributes({ type: 'hidden', name, value })} />`

/** The attributes that are set, each after a space; true renders the name only. */
export function attributes(values: Readonly<Record<string, string | number | boolean | undefined>>): Html[] {
  const set: Html[] = []
  for (const [name, value] of Object.entries(values)) {
    if (value === true) set.push(html` ${name}`)
    else if (value !== undefined && value !== false) set.push(html` ${name}="${value}"`)
  }
  return set
}

/** Attributes for scripts. */
const dataOf = (data: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(data).map(([name, value]) => [`data-${name}`, value]))

/**
 * Registers a field's errors for the summary at the top of the page.
 * @param id of the element that is to be corrected
 */
export const withErrors = (field: Html, id: string, label: Content, errors: readonly string[]): Html =>
  errors.length === 0 ? field : new Html(field.text, [{ id, label: plainText(label), text: errors.join(', ') }])

/** A label without its links. */
const plainText = (label: Content): string | Html =>
  typeof label === 'string' ? label : new Html(html`${label}`.text.replaceAll(/<[^>]*>/g, ''))

export function noteIds(id: string, hint: string | undefined, errors: readonly string[]): string | undefined {
  const ids = [...(hint === undefined ? [] : [`${id}_hint`]), ...(errors.length > 0 ? [`${id}_error`] : [])]
  return ids.length > 0 ? ids.join(' ') : undefined
}

export const notes = (id: string, hint: string | undefined, errors: readonly string[]): Html[] => [
  ...(hint === undefined ? [] : [html`<p class="hint" id="${id}_hint">${hint}</p>`]),
  ...(errors.length > 0 ? [html`<p class="error" id="${id}_error">${errors.join(', ')}</p>`] : []),
]
