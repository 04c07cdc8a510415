/**
 * HTML pages: escaping templates, the common layout, and the pieces that pages are made of. Their
 * styles are in `style.css`; all of them work without scripts, by keyboard, and on a phone.
 *
 * - Forms: `form` (with the CSRF token), `field` (any type of input), `textArea`, `checkbox`,
 *   `toggle`, `choices` (checkboxes of one list), `radios`, `select`, `hidden`, `submit`,
 *   `submitAs` (one of several buttons, after `noDefaultButton`), `actionButton` (a form that is
 *   only a button).
 * - Lists: `table` (becomes cards on a phone), `batch` (a list whose entries are chosen by
 *   checkboxes), `entryList`, `filterForm`, `foldedFilterForm` and `filterLinks` above a list,
 *   `pageLinks` below it, `href` for addresses with a query.
 * - Content: `section` (a card with a heading), `facts` (terms with values), `badge`, `disclosure`,
 *   `paragraphs`, `linkButton`, `time`, `timeText`, `day`, `phrase`.
 */
export { asset } from './asset.ts'
export { badge, facts, type Tone } from './facts.ts'
export { batch, type BatchButton, type BatchItem } from './batch.ts'
export { checkbox, field, hidden, PREVIEW_SCRIPT, select, textArea } from './field.ts'
export { choices, radios, toggle } from './choices.ts'
export {
  actionButton,
  CSRF_PARAMETER,
  filterForm,
  foldedFilterForm,
  form,
  linkButton,
  noDefaultButton,
  submit,
  submitAs,
} from './form.ts'
export { href } from './href.ts'
export { Html, html, type Content } from '../../core/html.ts'
export { filterLinks, pageLinks } from './pagination.ts'
export { phrase } from './phrase.ts'
export { pageResponse, type Page } from './layout.ts'
export type { Notice, PageVisitor } from './page_visitor.ts'
export { disclosure, entryList, paragraphs, section } from './section.ts'
export { table, type Column } from './table.ts'
export { day, time, timeText } from './time.ts'
