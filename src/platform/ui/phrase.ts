import type { Content } from '../../core/html.ts'

/** A text whose places `{name}` are taken by HTML, such as a link. A place without a value stays as it is. */
export const phrase = (text: string, values: Readonly<Record<string, Content>>): Content[] =>
  text.split(/(\{\w+\})/).map(part => values[/^\{(\w+)\}$/.exec(part)?.[1] ?? ''] ?? part)
