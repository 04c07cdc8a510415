/** HTML pages: escaping templates, forms with CSRF tokens, the common layout. */
export { asset } from './asset.ts'
export { checkbox, field, hidden, select, textArea } from './field.ts'
export { CSRF_PARAMETER, form, submit } from './form.ts'
export { Html, html, type Content } from '../../core/html.ts'

export { phrase } from './phrase.ts'
export { pageAnswer, type Page } from './layout.ts'
export type { Notice, PageVisitor } from './page_visitor.ts'
