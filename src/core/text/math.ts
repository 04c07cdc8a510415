const OPENING = '<math'
const CLOSING = '</math>'
const SOURCES = ['application/x-tex', 'text/plain']

/** The annotation with this encoding in a formula, or undefined. */
function findAnnotation(formula: string, encoding: string): string | undefined {
  const named = formula.indexOf(encoding)
  if (named < 0 || !formula.slice(formula.lastIndexOf('<', named), named).startsWith('<annotation')) return undefined
  const from = formula.indexOf('>', named)
  const to = formula.indexOf('</annotation', from)
  return from < 0 || to < 0 ? undefined : formula.slice(from + 1, to)
}

/**
 * Replaces each MathML formula by its TeX annotation, else its plain one; a formula without either
 * stays. The annotation is copied unescaped, so the result must be sanitised.
 */
export function replaceMath(html: string): string {
  let replaced = ''
  let done = 0
  for (;;) {
    const start = html.indexOf(OPENING, done)
    const end = start < 0 ? -1 : html.indexOf(CLOSING, start)
    if (end < 0) return replaced + html.slice(done)
    const formula = html.slice(start, end)
    const source = SOURCES.map(encoding => findAnnotation(formula, encoding)).find(found => found !== undefined)
    replaced += html.slice(done, start) + (source ?? formula + CLOSING)
    done = end + CLOSING.length
  }
}
