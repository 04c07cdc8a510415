const OPENING = '<math'
const CLOSING = '</math>'
/** Longer opening tags are cut here: later attributes are ignored. */
const MAX_TAG = 1000
const TEX = 'application/x-tex'
const PLAIN = 'text/plain'

/** The annotation with this encoding in a formula, or undefined. */
function findAnnotation(formula: string, encoding: string): string | undefined {
  const named = formula.indexOf(encoding)
  if (named < 0 || !formula.slice(formula.lastIndexOf('<', named), named).startsWith('<annotation')) return undefined
  const from = formula.indexOf('>', named)
  const to = formula.indexOf('</annotation', from)
  return from < 0 || to < 0 ? undefined : formula.slice(from + 1, to)
}

/** The TeX of a formula between dollar signs, or its plain text. */
function sourceOf(formula: string): string | undefined {
  const tex = findAnnotation(formula, TEX)
  if (tex === undefined) return findAnnotation(formula, PLAIN)
  const isBlock = /^<math\s[^>]*\bdisplay\s*=\s*["']?block\b/i.test(formula.slice(0, MAX_TAG))
  const sign = isBlock ? '$$' : '$'
  return `${sign}${tex}${sign}`
}

/**
 * Replaces each MathML formula by its TeX annotation in `$…$`, or in `$$…$$` for one that stands by
 * itself, else by its plain one; a formula without either stays. The annotation is copied
 * unescaped, so the result must be sanitised.
 */
export function replaceMath(html: string): string {
  let replaced = ''
  let done = 0
  for (;;) {
    const start = html.indexOf(OPENING, done)
    const end = start < 0 ? -1 : html.indexOf(CLOSING, start)
    if (end < 0) return replaced + html.slice(done)
    const formula = html.slice(start, end)
    replaced += html.slice(done, start) + (sourceOf(formula) ?? formula + CLOSING)
    done = end + CLOSING.length
  }
}
