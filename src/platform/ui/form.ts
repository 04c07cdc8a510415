import { html, type Content, type Html } from '../../core/html.ts'
import { hidden } from './field.ts'
import { disclosure } from './section.ts'

/** The parameter with the CSRF token. */
export const CSRF_PARAMETER = 'authenticity_token'

export interface FormOptions {
  action: string
  /** HTML forms support only POST; other methods are sent as `_method`. */
  method?: 'post' | 'put' | 'delete'
  /** The token of the current session. */
  csrfToken: string
  class?: string
  /** For buttons elsewhere on the page. */
  id?: string
  /** Attributes for the page's script, without `data-`. */
  data?: Readonly<Record<string, string>>
  /** A script shows it. */
  hidden?: boolean
  /** The form has files. */
  multipart?: boolean
}

/** A form that changes something, with a CSRF token. */
export function form(options: FormOptions, content: Content): Html {
  const { action, method = 'post', csrfToken, class: name, id, multipart = false } = options
  const more = [
    name !== undefined && html` class="${name}"`,
    id !== undefined && html` id="${id}"`,
    ...Object.entries(options.data ?? {}).map(([key, value]) => html` data-${key}="${value}"`),
    options.hidden === true && html` hidden`,
    multipart && html` enctype="multipart/form-data"`,
  ]
  return html`<form action="${action}" method="post" ${more}>
    ${hidden(CSRF_PARAMETER, csrfToken)}${method !== 'post' && hidden('_method', method)}${content}
  </form>`
}

/** The submit button of a form, or of the one with an id. */
export const submit = (label: string, kind: 'primary' | 'plain' | 'danger' = 'primary', formId?: string): Html =>
  html`<button type="submit" class="button ${kind}" ${formId !== undefined && html` form="${formId}"`}>
    ${label}
  </button>`

type ButtonKind = 'primary' | 'plain' | 'danger'

/**
 * A submit button with a value of its own, for forms with several buttons. With `unchecked` the
 * browser does not require the required fields.
 */
export const submitAs = (
  name: string,
  value: string,
  label: string,
  kind: ButtonKind = 'plain',
  { unchecked = false } = {},
): Html =>
  html`<button
    type="submit"
    name="${name}"
    value="${value}"
    class="button ${kind}"
    ${unchecked && html` formnovalidate`}
  >
    ${label}
  </button>`

/**
 * Stands first in a form with several buttons: the key Enter in one of its fields presses the
 * first button, and none while that is disabled.
 */
export const noDefaultButton = html`<button type="submit" disabled hidden></button>`

/** A form that is only a button, such as "Delete" in a list. */
export const actionButton = (
  options: FormOptions & { label: string; kind?: ButtonKind },
  fields: Content = null,
): Html => form({ class: 'inline', ...options }, [fields, submit(options.label, options.kind ?? 'plain')])

/** A link that looks like a button. */
export const linkButton = (target: string, label: string, kind: ButtonKind = 'plain'): Html =>
  html`<a class="button ${kind}" href="${target}">${label}</a>`

/**
 * The form above a list: fields that filter it, sent as the query of the page.
 * @param label names the form for screen readers, and its button
 */
export const filterForm = (action: string, label: string, fields: Content): Html =>
  html`<form class="filters" action="${action}" method="get" role="search" aria-label="${label}">
    ${fields}
    <button type="submit" class="button plain">${label}</button>
  </form>`

/**
 * A filter form with many fields behind its label, so that a phone's first screen shows the list.
 * @param isSet whether anything is filtered: then it is open
 */
export const foldedFilterForm = (action: string, label: string, fields: Content, isSet: boolean): Html =>
  disclosure(label, filterForm(action, label, fields), isSet)
