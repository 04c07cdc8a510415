import { createHash } from 'node:crypto'
import { makePreview, sizeMeta } from '../../media/attachments/index.ts'
import { loadSharp, makeKey, SAMPLES, type Picture, type Storage } from '../../platform/storage/index.ts'
import { createRandom, type Random } from './random.ts'

/** A stored picture for attachments, with its metadata. */
export interface Sample {
  readonly fileKey: string
  readonly previewKey: string
  readonly blurhash: string
  /** The value of `media_attachments.meta`. */
  readonly meta: string
}

const SIZES = [
  [1600, 1200],
  [1200, 1600],
  [1920, 1080],
  [1080, 1080],
] as const
const PICTURES_PER_SIZE = 3
/** The number of colour patches of a picture, across and down, which blend into each other. */
const PATCHES = [5, 4] as const

async function generatePicture(random: Random, width: number, height: number): Promise<Buffer> {
  const [across, down] = PATCHES
  const patches = Buffer.from(Array.from({ length: across * down * 3 }, () => random.below(256)))
  const sharp = await loadSharp()
  return sharp(patches, { raw: { width: across, height: down, channels: 3 } })
    .resize(width, height, { fit: 'fill', kernel: 'cubic' })
    .jpeg({ quality: 70 })
    .toBuffer()
}

/** The same picture always has the same key, so that repeated seeding stores it once. */
async function store(storage: Storage, { bytes, type }: Picture): Promise<string> {
  const key = makeKey(SAMPLES, 'jpg', createHash('sha256').update(bytes).digest('hex').slice(0, 32))
  await storage.put(key, bytes, type)
  return key
}

/** Stores the pictures of generated posts: a few, shared by many attachments. */
export async function storeSamples(storage: Storage): Promise<Sample[]> {
  const random = createRandom('pictures', 'samples')
  const samples: Sample[] = []
  for (const [width, height] of SIZES) {
    for (let number = 0; number < PICTURES_PER_SIZE; number += 1) {
      const bytes = await generatePicture(random, width, height)
      const { preview, blurhash } = await makePreview(bytes)
      samples.push({
        fileKey: await store(storage, { bytes, type: 'image/jpeg' }),
        previewKey: await store(storage, preview),
        blurhash,
        meta: JSON.stringify({ original: sizeMeta({ width, height }), small: sizeMeta(preview) }),
      })
    }
  }
  return samples
}
