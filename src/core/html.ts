import { escapeHtml } from './text/index.ts'

/** A validation error of a form field, for the summary at the top of the page. */
export interface FormError {
  /** The id of the element to correct. */
  readonly id: string
  readonly label: string | Html
  readonly text: string
}

const NO_ERRORS: readonly FormError[] = []

/** Finished HTML: user input in it has been escaped. */
export class Html {
  readonly text: string
  /** The errors of the form fields in it. */
  readonly errors: readonly FormError[]
  constructor(text: string, errors: readonly FormError[] = NO_ERRORS) {
    this.text = text
    this.errors = errors
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

function render(content: Content, errors: FormError[]): string {
  if (content instanceof Html) {
    if (content.errors.length > 0) errors.push(...content.errors)
    return content.text
  }
  if (Array.isArray(content)) return content.map(one => render(one, errors)).join('')
  if (content === false || content === null || content === undefined) return ''
  return escapeHtml(String(content))
}

/** A template of HTML. Every value is escaped, unless it is `Html`; attributes must be quoted. */
export function html(parts: TemplateStringsArray, ...contents: readonly Content[]): Html {
  let text = parts[0] ?? ''
  const errors: FormError[] = []
  contents.forEach((content, index) => {
    text += render(content, errors) + (parts[index + 1] ?? '')
  })
  return new Html(text, errors)
}
