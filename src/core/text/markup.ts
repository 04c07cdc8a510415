import { Parser, type Handler, type ParserOptions } from 'htmlparser2'

/**
 * Markup that is nested deeper is not read: the parser searches all open elements for each end tag,
 * so a page of a megabyte could be made that takes minutes.
 */
const DEEPEST = 256

/**
 * Parses markup of others, however broken, up to the element that is nested too deeply. Takes time
 * linear in the length.
 * @returns the offset at which it ended
 */
export function parseMarkup(
  markup: string,
  { onopentag, onclosetag, ontext }: Pick<Partial<Handler>, 'onopentag' | 'onclosetag' | 'ontext'>,
  options?: Pick<ParserOptions, 'xmlMode'>,
): number {
  let depth = 0
  let end = markup.length
  const parser = new Parser(
    {
      onopentag(name, attributes, isImplied) {
        depth += 1
        if (depth <= DEEPEST) return onopentag?.(name, attributes, isImplied)
        end = parser.startIndex
        parser.pause()
      },
      onclosetag(name, isImplied) {
        depth -= 1
        onclosetag?.(name, isImplied)
      },
      ...(ontext && { ontext }),
    },
    options,
  )
  parser.write(markup)
  parser.end()
  return end
}

/** The beginning of markup, up to the element that is nested too deeply. */
export const cutDeepMarkup = (markup: string): string => markup.slice(0, parseMarkup(markup, {}))
