/**
 * The image library, loaded at first use: it takes 27 MB and 70 ms that a server without uploads need not spend. It remembers nothing
 * of what it has read: each picture comes once, and a remembered file would stay open when it has been removed.
 */
export const loadSharp = async () => {
  const { default: sharp } = await import('sharp')
  sharp.cache(false)
  return sharp
}

/**
 * The longest side that a picture may have: JPEG's. A picture of one column and 33 million rows has no more pixels than others, but took
 * five seconds to make smaller.
 */
const MAX_SIDE_LENGTH = 65_535

/** Whether one side is longer than those of any photograph. */
export const isTooLong = ({ width, height }: { width: number; height: number }): boolean =>
  Math.max(width, height) > MAX_SIDE_LENGTH
