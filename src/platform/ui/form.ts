import { html, type Content, type Html } from '../../core/html.ts'
import { hidden } from './field.ts'

/** The parameter that forms are protected by. */
export const CSRF_PARAMETER = 'authenticity_token'

export interface FormOptions {
  action: string
  /** Forms know only POST; another method goes along as `_method`. */
  method?: 'post' | 'put' | 'delete'
  /** Of the visit that the form is shown in. */
  csrfToken: string
  class?: string
}

/** A form that changes something, with its protection. */
export function form({ action, method = 'post', csrfToken, class: name }: FormOptions, content: Content): Html {
  return html`<form action="${action}" method="post" ${name !== undefined && html` class="${name}"`}>
    ${hidden(CSRF_PARAMETER, csrfToken)}${method !== 'post' && hidden('_method', method)}${content}
  </form>`
}

/** The button that sends a form. */
export const submit = (label: string, kind: 'primary' | 'plain' | 'danger' = 'primary'): Html =>
  html`<button type="submit" class="button ${kind}">${label}</button>`
