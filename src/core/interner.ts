const SLOTS_LOG2 = 15
const strings = Array.from<string | undefined>({ length: 2 ** SLOTS_LOG2 })

/**
 * The same text, as the string that was given for it before when that is still known. What is kept for long has each id once by this: they
 * come from the database again and again, each time as another string of 40 bytes. By its last digits a text has one place, where the last
 * of those that share it is known.
 */
export function intern<T extends string>(text: T): T {
  let hash = 0
  for (let at = Math.max(0, text.length - 9); at < text.length; at += 1) hash = hash * 10 + text.charCodeAt(at)
  const place = Math.imul(hash, 0x9e3779b1) >>> (32 - SLOTS_LOG2)
  const known = strings[place]
  if (known === text) return known as T
  strings[place] = text
  return text
}
