const SLOTS_LOG2 = 15
const strings = Array.from<string | undefined>({ length: 2 ** SLOTS_LOG2 })

/**
 * Returns one shared instance for equal strings, so that cached ids are not stored twice: the
 * database driver makes a new string of 40 bytes each time. The last digits of a string select its
 * slot, which holds the latest string; older ones with the same slot are not found again.
 */
export function intern<T extends string>(text: T): T {
  const slot = slotOf(text)
  const known = strings[slot]
  if (known === text) return known as T
  strings[slot] = text
  return text
}

/** As `intern`, for a piece of a long text: V8 would keep the whole text in memory with it. */
export function internPiece(text: string): string {
  const slot = slotOf(text)
  const known = strings[slot]
  if (known === text) return known
  return (strings[slot] = Buffer.from(text, 'latin1').toString('latin1'))
}

function slotOf(text: string): number {
  let hash = 0
  for (let at = Math.max(0, text.length - 9); at < text.length; at += 1) hash = hash * 10 + text.charCodeAt(at)
  return Math.imul(hash, 0x9e3779b1) >>> (32 - SLOTS_LOG2)
}
