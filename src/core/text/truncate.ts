/** The length of a text in code points, the measure for everything except statuses and bios. */
export function countCodePoints(text: string): number {
  let count = text.length
  for (let at = 0; at < text.length; at++) {
    const point = text.codePointAt(at)
    if (point !== undefined && point > 0xffff) {
      count--
      at++
    }
  }
  return count
}

/** The first `max` code points of a text. */
export function cutCodePoints(text: string, max: number): string {
  let end = 0
  for (let count = 0; count < max && end < text.length; count++) {
    const point = text.codePointAt(end)
    end += point !== undefined && point > 0xffff ? 2 : 1
  }
  return text.slice(0, end)
}
