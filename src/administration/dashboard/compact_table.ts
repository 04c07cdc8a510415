import { html, type Html } from '../../platform/ui/index.ts'

/** A table of names and figures that stays a table on a phone. */
export function compactTable(
  caption: string,
  heads: readonly [string, string],
  rows: readonly [string, string][],
): Html {
  const lines = rows.map(
    ([name, figure]) =>
      html`<tr>
        <th scope="row">${name}</th>
        <td class="number">${figure}</td>
      </tr>`,
  )
  return html`<table class="compact">
    <caption class="spoken">
      ${caption}
    </caption>
    <thead>
      <tr>
        <th scope="col">${heads[0]}</th>
        <th scope="col" class="number">${heads[1]}</th>
      </tr>
    </thead>
    <tbody>
      ${lines}
    </tbody>
  </table>`
}
