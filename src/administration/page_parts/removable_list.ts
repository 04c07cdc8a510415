import type { Id } from '../../core/id.ts'
import { batch, hidden, href, html, type BatchItem, type Content } from '../../platform/ui/index.ts'
import type { Staff, StaffPage } from '../index.ts'
import { toIdPage, type Cursors } from './id_pages.ts'

interface RemovableList<T> {
  /** The path of the list; `PATH/batch` removes the selected entries (`staffBatch`). */
  readonly path: string
  readonly range: Cursors
  /** The parameters of a filter, which the links keep. */
  readonly kept?: Readonly<Record<string, string>>
  /** The rows of `toRange`. */
  readonly rows: readonly T[]
  /** Renders an entry. */
  item(row: T): Pick<BatchItem, 'name' | 'content'>
  readonly empty: string
  /** Shown above the list. */
  readonly intro: Content
}

/** A page of a list that is paged by ids, whose selected entries can be removed. */
export function removableList<T extends { readonly id: Id }>(
  { t, translator, webSession }: Staff,
  { path, range, kept = {}, rows: allRows, item, empty, intro }: RemovableList<T>,
): Pick<StaffPage, 'navigationPath' | 'body' | 'scripts'> {
  const { rows, links } = toIdPage(translator, [path, kept], allRows, range)
  const body = html`${intro}
  ${batch({
    translator,
    action: `${path}/batch`,
    csrfToken: webSession.csrfToken(),
    buttons: [{ value: 'delete', label: t('staff.delete'), kind: 'danger' }],
    items: rows.map(row => ({ value: row.id, ...item(row) })),
    empty,
    fields: hidden('back', href(path, { ...kept, ...range })),
  })}
  ${links}`
  return { navigationPath: path, body, scripts: ['/assets/batch.js'] }
}
