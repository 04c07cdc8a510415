import assert from 'node:assert/strict'
import { crc32, deflateSync } from 'node:zlib'
import sharp, { type Sharp } from 'sharp'
import { test } from 'tap'
import { ApiError } from '../../../src/core/errors.ts'
import { Upload } from '../../../src/platform/http/index.ts'
import * as storage from '../../../src/platform/storage/index.ts'
import { sniffImage, type ProcessedImage } from '../../../src/platform/storage/index.ts'

const MAX_BYTES = 8_388_608

const sent = (bytes: Buffer): Upload => new Upload('a.png', 'image/png', bytes)
const processAvatar = (bytes: Buffer): Promise<ProcessedImage> => storage.processAvatar(sent(bytes))
const processHeader = (bytes: Buffer): Promise<ProcessedImage> => storage.processHeader(sent(bytes))

const plain = (width: number, height: number): Sharp =>
  sharp({ create: { width, height, channels: 3, background: { r: 200, g: 80, b: 20 } } })

/** An animation whose frames have different colours. */
function animation(width: number, height: number, frames: number): Promise<Buffer> {
  const frameBytes = width * height * 3
  const pixels = Buffer.alloc(frameBytes * frames)
  for (let frame = 0; frame < frames; frame += 1) {
    pixels.fill((frame * 37) % 256, frame * frameBytes, (frame + 1) * frameBytes)
  }
  return sharp(pixels, { raw: { width, height: height * frames, channels: 3, pageHeight: height } })
    .gif({ loop: 0, delay: Array.from({ length: frames }, () => 50) })
    .toBuffer()
}

function pngChunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(data.length, 0)
  frame.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
}

/** A small file that claims to be a large picture. */
function bomb(width: number, height: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 0, 0, 0, 0], 8)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  const pixels = pngChunk('IDAT', deflateSync(Buffer.alloc(1000)))
  return Buffer.concat([signature, pngChunk('IHDR', header), pixels, pngChunk('IEND', Buffer.alloc(0))])
}

async function refusal(work: Promise<unknown>): Promise<ApiError> {
  try {
    await work
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
  throw new Error('not refused')
}

test('the type of a picture is detected from its bytes', async () => {
  assert.equal(sniffImage(await plain(2, 2).jpeg().toBuffer()), 'image/jpeg')
  assert.equal(sniffImage(await plain(2, 2).png().toBuffer()), 'image/png')
  assert.equal(sniffImage(await plain(2, 2).webp().toBuffer()), 'image/webp')
  assert.equal(sniffImage(await plain(2, 2).gif().toBuffer()), 'image/gif')
  assert.equal(sniffImage(await plain(2, 2).avif().toBuffer()), undefined)
  assert.equal(sniffImage(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')), undefined)
  assert.equal(sniffImage(Buffer.alloc(0)), undefined)
})

test('an avatar is the centre of the picture, 400x400, in its own format', async () => {
  const formats = ['jpeg', 'png', 'webp'] as const
  for (const format of formats) {
    const { original, static: still } = await processAvatar(
      await sharp(await plain(900, 300).png().toBuffer())
        .toFormat(format)
        .toBuffer(),
    )
    const { width, height, format: made } = await sharp(original.bytes).metadata()
    assert.deepEqual([width, height, made, original.type, still], [400, 400, format, `image/${format}`, undefined])
  }
  const small = await processAvatar(await plain(10, 20).png().toBuffer())
  assert.equal((await sharp(small.original.bytes).metadata()).width, 400)
})

test('the orientation is applied and metadata are removed', async () => {
  const half = await sharp({ create: { width: 100, height: 300, channels: 3, background: '#00f' } })
    .png()
    .toBuffer()
  const photo = await plain(200, 300)
    .composite([{ input: half, left: 0, top: 0 }])
    .jpeg()
    .withExif({ IFD0: { Copyright: 'Alice' }, IFD3: { GPSLatitude: '51/1 30/1 3230/100' } })
    .withMetadata({ orientation: 6 })
    .withIccProfile('p3')
    .toBuffer()
  assert.ok((await sharp(photo).metadata()).exif)
  const { original } = await processHeader(photo)
  const metadata = await sharp(original.bytes).metadata()
  assert.deepEqual([metadata.width, metadata.height], [300, 200])
  assert.deepEqual(
    [metadata.exif, metadata.icc, metadata.xmp, metadata.orientation],
    [undefined, undefined, undefined, undefined],
  )
  const { data, info } = await sharp(original.bytes).raw().toBuffer({ resolveWithObject: true })
  const blueAt = (x: number, y: number): number => data[(y * info.width + x) * info.channels + 2] ?? 0
  // After a clockwise rotation the left side is at the top.
  assert.ok(blueAt(150, 20) > 200 && blueAt(150, 180) < 100)
})

test('a header keeps its proportions and has at most 750000 pixels', async () => {
  const sizeOf = async (width: number, height: number): Promise<[number, number]> => {
    const { original } = await processHeader(await plain(width, height).png().toBuffer())
    const made = await sharp(original.bytes).metadata()
    return [made.width, made.height]
  }
  assert.deepEqual(await sizeOf(3000, 1000), [1500, 500])
  assert.deepEqual(await sizeOf(600, 200), [600, 200])
  assert.deepEqual(await sizeOf(2000, 2000), [866, 866])
  const [width, height] = await sizeOf(30_000, 2)
  assert.ok(width <= 16_383 && height === 1, `${width}x${height}`)
})

test('an animated GIF stays animated and has a still version', async () => {
  const { original, static: still } = await processAvatar(await animation(500, 450, 5))
  const moving = await sharp(original.bytes, { pages: -1 }).metadata()
  assert.deepEqual([moving.format, moving.pages, moving.width, moving.pageHeight], ['gif', 5, 400, 400])
  assert.equal(still?.type, 'image/png')
  const frame = await sharp(still?.bytes).metadata()
  assert.deepEqual([frame.format, frame.width, frame.height], ['png', 400, 400])
  const header = await processHeader(await animation(1200, 700, 3))
  const scaled = await sharp(header.original.bytes, { pages: -1 }).metadata()
  assert.equal(scaled.pages, 3)
  assert.ok(scaled.width * (scaled.pageHeight ?? 0) <= 750_000)
})

test('a GIF of one frame has a still version too', async () => {
  const { original, static: still } = await processAvatar(await plain(50, 50).gif().toBuffer())
  assert.deepEqual([original.type, still?.type], ['image/gif', 'image/png'])
})

test('an animation with too many frames is cut', async () => {
  const { original } = await processAvatar(await animation(1280, 720, 40))
  const { pages } = await sharp(original.bytes, { pages: -1 }).metadata()
  assert.equal(pages, 36)
  const framesOf = async ({ original: { bytes } }: ProcessedImage): Promise<unknown> =>
    (await sharp(bytes, { pages: -1 }).metadata()).pages
  const tiny = await animation(4, 4, 1100)
  assert.equal(await framesOf(await processAvatar(tiny)), 207, 'each frame is scaled to the size of an avatar')
  assert.equal(await framesOf(await processHeader(tiny)), 1000)
})

test('a picture of another type is refused', async () => {
  const failure = await refusal(processAvatar(await plain(5, 5).avif().toBuffer()))
  assert.equal(failure.status, 422)
  assert.equal(failure.message, 'Validation failed: Avatar content type is invalid, Avatar is invalid')
  const detail = [{ error: 'ERR_INVALID', description: 'is invalid' }]
  assert.deepEqual(failure.body, { details: { avatar_content_type: detail, avatar: detail } })
})

test('a picture of 8 MiB is refused, one byte less is accepted', async () => {
  const picture = await plain(20, 20).jpeg().toBuffer()
  const padded = (size: number): Buffer => Buffer.concat([picture, Buffer.alloc(size - picture.length)])
  await processHeader(padded(MAX_BYTES - 1))
  const failure = await refusal(processHeader(padded(MAX_BYTES)))
  assert.equal(
    failure.message,
    'Validation failed: Header file size must be less than 8 MB, Header must be less than 8 MB',
  )
  const detail = [{ error: 'ERR_LESS_THAN', description: 'must be less than 8 MB' }]
  assert.deepEqual(failure.body, { details: { header_file_size: detail, header: detail } })
})

test('a picture with too many pixels is refused before decoding', async () => {
  const before = process.memoryUsage().rss
  const failure = await refusal(processAvatar(bomb(20_000, 20_000)))
  assert.deepEqual([failure.status, failure.message], [422, '20000x20000 images are not supported'])
  for (const [width, height] of [
    [1, 33_000_000],
    [33_000_000, 1],
  ] as const) {
    const long = await refusal(processHeader(bomb(width, height)))
    assert.equal(long.message, `${width}x${height} images are not supported`)
  }
  const gif = await refusal(processAvatar(await plain(1281, 720).gif().toBuffer()))
  assert.equal(gif.message, '1281x720 GIF files are not supported')
  assert.ok(process.memoryUsage().rss - before < 200_000_000)
})

test('a file with only the header of a picture is invalid', async () => {
  const jpeg = await plain(300, 300).jpeg().toBuffer()
  const broken = [
    Buffer.from('GIF89a, or so'),
    jpeg.subarray(0, 30),
    jpeg.subarray(0, jpeg.length - 200),
    bomb(500, 500),
  ]
  for (const bytes of broken) {
    const failure = await refusal(processAvatar(bytes))
    assert.equal(failure.message, 'Validation failed: Avatar is invalid')
    assert.deepEqual(failure.body, { details: { avatar: [{ error: 'ERR_INVALID', description: 'is invalid' }] } })
  }
})
