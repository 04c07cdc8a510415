import { html, type Content, type Html } from '../../core/html.ts'
import { attributes } from './field.ts'

/** A column of a table. */
export interface Column {
  readonly label: string
  /** Numbers are aligned to the right; the label of actions is only for screen readers. */
  readonly kind?: 'text' | 'number' | 'actions'
}

export interface TableOptions {
  /** A caption for screen readers. */
  readonly caption: string
  readonly columns: readonly Column[]
  /** The cells of each row; the first one names the row. */
  readonly rows: readonly (readonly Content[])[]
  /** Shown instead of a table without rows. */
  readonly empty: string
}

/**
 * A table. On a phone each row becomes a card, with the columns' labels before the values; the
 * roles keep it a table for screen readers.
 */
export function table({ caption, columns, rows, empty }: TableOptions): Html {
  if (rows.length === 0) return html`<p class="empty">${empty}</p>`
  const heads = columns.map(
    ({ label, kind }) =>
      html`<th${attributes({ scope: 'col', role: 'columnheader', class: kind })}>
        ${kind === 'actions' ? html`<span class="spoken">${label}</span>` : label}
      </th>`,
  )
  const lines = rows.map(cells => {
    const filled = cells.map((content, place) => cell(content, columns[place], place === 0))
    return html`<tr role="row">
      ${filled}
    </tr>`
  })
  return html`<table class="table" role="table">
    <caption class="spoken">
      ${caption}
    </caption>
    <thead role="rowgroup">
      <tr role="row">
        ${heads}
      </tr>
    </thead>
    <tbody role="rowgroup">
      ${lines}
    </tbody>
  </table>`
}

function cell(content: Content, column: Column | undefined, isHead: boolean): Html {
  const shared = { class: column?.kind, 'data-label': column?.kind === 'actions' ? undefined : column?.label }
  return isHead
    ? html`<th${attributes({ scope: 'row', role: 'rowheader', ...shared })}><div>${content}</div></th>`
    : html`<td${attributes({ role: 'cell', ...shared })}><div>${content}</div></td>`
}
