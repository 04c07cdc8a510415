import { html, type Content, type Html } from '../../core/html.ts'
import { hidden } from './field.ts'

/** The parameter with the CSRF token. */
export const CSRF_PARAMETER = 'authenticity_token'

export interface FormOptions {
  action: string
  /** HTML forms support only POST; other methods are sent as `_method`. */
  method?: 'post' | 'put' | 'delete'
  /** The token of the current session. */
  csrfToken: string
  class?: string
}

/** A form that changes something, with a CSRF token. */
export function form({ action, method = 'post', csrfToken, class: name }: FormOptions, content: Content): Html {
  return html`<form action="${action}" method="post" ${name !== undefined && html` class="${name}"`}>
    ${hidden(CSRF_PARAMETER, csrfToken)}${method !== 'post' && hidden('_method', method)}${content}
  </form>`
}

/** The submit button of a form. */
export const submit = (label: string, kind: 'primary' | 'plain' | 'danger' = 'primary'): Html =>
  html`<button type="submit" class="button ${kind}">${label}</button>`
