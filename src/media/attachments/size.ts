export interface Size {
  readonly width: number
  readonly height: number
}

/** What WebP and H.264 can have as their longest side. */
const MAX_SIDE_LENGTH = 16_383

/** The size with the same proportions and at most about so many pixels, as the contract's example has it: 600x400 in 230,400 is 588x392. */
export function shrink({ width, height }: Size, mostPixels: number): Size {
  const scale = Math.min(1, Math.sqrt(mostPixels / (width * height)), MAX_SIDE_LENGTH / Math.max(width, height))
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}

/** The members of MediaMeta that tell of a picture. */
export const sizeMeta = ({ width, height }: Size): Record<string, unknown> => ({
  width,
  height,
  size: `${width}x${height}`,
  aspect: width / height,
})
