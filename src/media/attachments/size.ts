export interface Size {
  readonly width: number
  readonly height: number
}

/** The longest side in WebP and H.264. */
const MAX_SIDE_LENGTH = 16_383

/**
 * Shrinks a size to about this number of pixels, with the same proportions and the rounding that
 * clients expect: 600x400 in 230,400 is 588x392.
 */
export function shrink({ width, height }: Size, maxPixels: number): Size {
  const scale = Math.min(1, Math.sqrt(maxPixels / (width * height)), MAX_SIDE_LENGTH / Math.max(width, height))
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}

/** The members of MediaMeta that describe a picture. */
export const sizeMeta = ({ width, height }: Size): Record<string, unknown> => ({
  width,
  height,
  size: `${width}x${height}`,
  aspect: width / height,
})
