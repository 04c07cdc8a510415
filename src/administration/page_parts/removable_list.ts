import type { Id } from '../../core/id.ts'
import { batch, hidden, href, html, type BatchItem, type Content } from '../../platform/ui/index.ts'
import type { Staff, StaffPage } from '../index.ts'
import { cutPage, type Cursors } from './id_pages.ts'

interface Removable<T> {
  /** The address of the list; `LIST/batch` removes the chosen entries (`staffBatch`). */
  readonly list: string
  readonly range: Cursors
  /** The rows of `rangeOf`. */
  readonly rows: readonly T[]
  /** The name of an entry, and how it is shown. */
  item(row: T): Pick<BatchItem, 'name' | 'content'>
  readonly empty: string
  /** Above the list. */
  readonly intro: Content
}

/** A page of a list that is paged by ids, whose chosen entries can be removed. */
export function removableList<T extends { readonly id: Id }>(
  { t, translator, webSession }: Staff,
  { list, range, rows: found, item, empty, intro }: Removable<T>,
): Pick<StaffPage, 'place' | 'body' | 'scripts'> {
  const { rows, links } = cutPage(translator, [list, {}], found, range)
  const body = html`${intro}
  ${batch({
    translator,
    action: `${list}/batch`,
    csrfToken: webSession.csrfToken(),
    buttons: [{ value: 'delete', label: t('staff.delete'), kind: 'danger' }],
    items: rows.map(row => ({ value: row.id, ...item(row) })),
    empty,
    fields: hidden('back', href(list, { ...range })),
  })}
  ${links}`
  return { place: list, body, scripts: ['/assets/batch.js'] }
}
