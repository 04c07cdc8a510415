import { escapeHtml } from './text/index.ts'

/** Finished HTML: user input in it has been escaped. */
export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
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

function render(content: Content): string {
  if (content instanceof Html) return content.text
  if (Array.isArray(content)) return content.map(render).join('')
  if (content === false || content === null || content === undefined) return ''
  return escapeHtml(String(content))
}

/** A template of HTML. Every value is escaped, unless it is `Html`; attributes must be quoted. */
export function html(parts: TemplateStringsArray, ...contents: readonly Content[]): Html {
  let text = parts[0] ?? ''
  contents.forEach((content, index) => {
    text += render(content) + (parts[index + 1] ?? '')
  })
  return new Html(text)
}
