/**
 * The image library, loaded at first use: it takes 27 MB and 70 ms that a server without uploads
 * need not spend. Its cache is off: each picture is read once, and a cached file would stay open
 * after it is removed.
 */
export const loadSharp = async () => {
  const { default: sharp } = await import('sharp')
  sharp.cache(false)
  return sharp
}

/**
 * The maximum side length of a picture: JPEG's. A picture with one column and 33 million rows has
 * no more pixels than others, but took five seconds to scale down.
 */
const MAX_SIDE_LENGTH = 65_535

/** Whether one side is longer than that of any photograph. */
export const isTooLong = ({ width, height }: { width: number; height: number }): boolean =>
  Math.max(width, height) > MAX_SIDE_LENGTH
