import { escapeHtml } from './text/index.ts'

/** What is wrong with a field of a form, for the summary at the top of the page. */
export interface Fault {
  /** The id of the element to correct. */
  readonly id: string
  readonly label: string | Html
  readonly text: string
}

const NO_FAULTS: readonly Fault[] = []

/** Finished HTML: user input in it has been escaped. */
export class Html {
  readonly text: string
  /** Of the fields in it. */
  readonly faults: readonly Fault[]
  constructor(text: string, faults: readonly Fault[] = NO_FAULTS) {
    this.text = text
    this.faults = faults
  }
  toString(): string {
    return this.text
  }
}

/**
 * A value in a template: false, null and undefined render nothing, a list renders its elements in
 * order.
 */
export type Content = Html | string | number | false | null | undefined | readonly Content[]

function render(content: Content, faults: Fault[]): string {
  if (content instanceof Html) {
    if (content.faults.length > 0) faults.push(...content.faults)
    return content.text
  }
  if (Array.isArray(content)) return content.map(one => render(one, faults)).join('')
  if (content === false || content === null || content === undefined) return ''
  return escapeHtml(String(content))
}

/** A template of HTML. Every value is escaped, unless it is `Html`; attributes must be quoted. */
export function html(parts: TemplateStringsArray, ...contents: readonly Content[]): Html {
  let text = parts[0] ?? ''
  const faults: Fault[] = []
  contents.forEach((content, index) => {
    text += render(content, faults) + (parts[index + 1] ?? '')
  })
  return new Html(text, faults)
}
