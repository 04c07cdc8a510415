import { html, type Html } from '../../platform/ui/index.ts'

/** A table of names and figures that is not reflowed on narrow screens. */
export function compactTable(
  caption: string,
  headings: readonly [string, string],
  rows: readonly [string, string][],
): Html {
  const body = rows.map(
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
        <th scope="col">${headings[0]}</th>
        <th scope="col" class="number">${headings[1]}</th>
      </tr>
    </thead>
    <tbody>
      ${body}
    </tbody>
  </table>`
}
