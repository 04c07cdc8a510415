import type { Content } from '../../core/html.ts'

/**
 * Replaces the placeholders `{name}` of a text by HTML, such as a link. Placeholders without a
 * value are not changed.
 */
export const phrase = (text: string, values: Readonly<Record<string, Content>>): Content[] =>
  text.split(/(\{\w+\})/).map(part => values[/^\{(\w+)\}$/.exec(part)?.[1] ?? ''] ?? part)
