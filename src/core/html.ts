import { escapeHtml } from './text/index.ts'

/** HTML that is ready: what people wrote is escaped in it. */
export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
  toString(): string {
    return this.text
  }
}

/** What can stand in a template: nothing for false, null and undefined; a list is its elements one after the other. */
export type Content = Html | string | number | false | null | undefined | readonly Content[]

function render(content: Content): string {
  if (content instanceof Html) return content.text
  if (Array.isArray(content)) return content.map(render).join('')
  if (content === false || content === null || content === undefined) return ''
  return escapeHtml(String(content))
}

/** A template of HTML. Everything put into it is escaped, unless it is Html already; attributes must be quoted. */
export function html(parts: TemplateStringsArray, ...contents: readonly Content[]): Html {
  let text = parts[0] ?? ''
  contents.forEach((content, index) => {
    text += render(content) + (parts[index + 1] ?? '')
  })
  return new Html(text)
}
