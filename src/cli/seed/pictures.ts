import { createHash } from 'node:crypto'
import { makePreview, sizeMeta } from '../../media/attachments/index.ts'
import { loadSharp, makeKey, SAMPLES, type Picture, type Storage } from '../../platform/storage/index.ts'
import { createRandom, type Random } from './random.ts'

/** A stored picture that attachments show, and what is told of it. */
export interface Sample {
  readonly fileKey: string
  readonly previewKey: string
  readonly blurhash: string
  /** As `media_attachments.meta` has it. */
  readonly meta: string
}

const SIZES = [
  [1600, 1200],
  [1200, 1600],
  [1920, 1080],
  [1080, 1080],
] as const
const OF_EACH_SIZE = 3
/** What a picture is made of: so many patches of colour, across and down, that run into each other. */
const PATCHES = [5, 4] as const

async function paint(random: Random, width: number, height: number): Promise<Buffer> {
  const [across, down] = PATCHES
  const patches = Buffer.from(Array.from({ length: across * down * 3 }, () => random.below(256)))
  const sharp = await loadSharp()
  return sharp(patches, { raw: { width: across, height: down, channels: 3 } })
    .resize(width, height, { fit: 'fill', kernel: 'cubic' })
    .jpeg({ quality: 70 })
    .toBuffer()
}

/** The same picture has the same key each time, so that there is one of it however often is seeded. */
async function store(storage: Storage, { bytes, type }: Picture): Promise<string> {
  const key = makeKey(SAMPLES, 'jpg', createHash('sha256').update(bytes).digest('hex').slice(0, 32))
  await storage.put(key, bytes, type)
  return key
}

/** Stores the pictures that made-up people post: a few, which many attachments share. */
export async function storeSamples(storage: Storage): Promise<Sample[]> {
  const random = createRandom('pictures', 'samples')
  const samples: Sample[] = []
  for (const [width, height] of SIZES) {
    for (let number = 0; number < OF_EACH_SIZE; number += 1) {
      const bytes = await paint(random, width, height)
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
