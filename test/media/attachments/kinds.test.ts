import assert from 'node:assert/strict'
import { crc32, deflateRawSync, deflateSync } from 'node:zlib'
import sharp, { type Sharp } from 'sharp'
import { test } from 'tap'
import type { ClientResponse } from '../../support/client.ts'
import { people, type Person } from '../../support/people.ts'
import {
  entity,
  errorOf,
  fetchFile,
  FILM,
  movingGif,
  picture,
  recording,
  TONE,
  until,
  upload,
} from './media_fixtures.ts'
import { withoutFfmpeg, type Entity } from './media_fixtures.ts'
import { plainPng, pngPart } from './plain_png.ts'

/** Every type of uploaded file, through both versions of the upload, with the expected result. */

const SECRET = 'somebody at home'
const tagged = { IFD0: { Copyright: SECRET }, IFD3: { GPSLatitude: '51/1 30/1 3230/100', GPSLatitudeRef: 'N' } }

/** A half transparent picture. */
const halfClear = (): Sharp =>
  sharp({ create: { width: 40, height: 30, channels: 4, background: { r: 200, g: 40, b: 20, alpha: 0.5 } } })

const rotated = (): Promise<Buffer> =>
  picture(80, 40).jpeg().withMetadata({ orientation: 6 }).withExif(tagged).withMetadata({ orientation: 6 }).toBuffer()

interface Kind {
  readonly bytes: () => Promise<Buffer>
  /** The type that the client claims. */
  readonly claimed: string
  readonly name: string
  readonly type: string
  /** The type of the stored file. */
  readonly stored: string
  /** The status in version 2; version 1 always responds 200. */
  readonly status: 200 | 202
  readonly extra?: (made: Entity, bytes: Buffer) => Promise<void> | void
}

const originalOf = (made: Entity): Record<string, unknown> =>
  (made['meta'] as Record<string, Record<string, unknown>>)['original'] ?? {}

const alphaOf = async (bytes: Buffer): Promise<number | undefined> => (await sharp(bytes).raw().toBuffer()).at(3)

const still = (
  claimed: string,
  stored: string,
  bytes: Kind['bytes'],
  extra: Kind['extra'] = () => undefined,
  name = 'x.bin',
): Kind => ({ claimed, stored, bytes, extra, name, type: 'image', status: 200 })

const PICTURES: Record<string, Kind> = {
  'jpeg with EXIF rotation': still('image/jpeg', 'image/jpeg', rotated, async (made, bytes) => {
    assert.equal(originalOf(made)['size'], '40x80')
    assert.equal((await sharp(bytes).metadata()).orientation, undefined)
  }),
  'jpeg in the colours of print': still('image/jpeg', 'image/jpeg', () =>
    picture(40, 30).toColourspace('cmyk').jpeg().toBuffer(),
  ),
  'png with alpha': still(
    'image/png',
    'image/png',
    () => halfClear().withExif(tagged).png().toBuffer(),
    async (_, bytes) => {
      assert.ok(Math.abs(Number(await alphaOf(bytes)) - 128) <= 1)
    },
  ),
  webp: still(
    'image/webp',
    'image/webp',
    () => halfClear().withExif(tagged).webp({ lossless: true }).toBuffer(),
    async (_, bytes) => {
      assert.ok(Math.abs(Number(await alphaOf(bytes)) - 128) <= 1)
    },
  ),
  'avif, which becomes JPEG without its transparency': still(
    'image/avif',
    'image/jpeg',
    () => halfClear().withExif(tagged).avif().toBuffer(),
    async (_, bytes) => {
      const [red = 0, green = 0] = await sharp(bytes).raw().toBuffer()
      assert.ok(Math.abs(red - 228) < 12 && Math.abs(green - 148) < 12, 'blended with white')
    },
  ),
  'gif that does not move': still('image/gif', 'image/gif', () => picture(20, 20).gif().toBuffer()),
  'png with the type of a text': still(
    'text/plain',
    'image/png',
    () => picture(9, 9).png().toBuffer(),
    undefined,
    'a.txt',
  ),
  'jpeg with the type of a video': still(
    'video/mp4',
    'image/jpeg',
    () => picture(9, 9).jpeg().toBuffer(),
    undefined,
    'a.mp4',
  ),
}

const RECORDINGS: Record<string, Kind> = {
  'animated gif': {
    bytes: () => movingGif(30, 20),
    claimed: 'image/gif',
    name: 'a.gif',
    type: 'gifv',
    stored: 'video/mp4',
    status: 202,
  },
  'mp4 with place and maker': {
    bytes: () =>
      recording('mp4', ...FILM, ...TONE, '-metadata', `title=${SECRET}`, '-metadata', 'location=+51.5-000.1/'),
    claimed: 'video/mp4',
    name: 'a.mp4',
    type: 'video',
    stored: 'video/mp4',
    status: 202,
    extra: (made, bytes) => {
      assert.deepEqual(Object.keys(originalOf(made)).toSorted(), [
        'bitrate',
        'duration',
        'frame_rate',
        'height',
        'width',
      ])
      assert.ok(!bytes.includes('+51.5'))
    },
  },
  'film of ogg': {
    bytes: () => recording('ogv', ...FILM, '-c:v', 'libtheora'),
    claimed: 'video/ogg',
    name: 'a.ogv',
    type: 'gifv',
    stored: 'video/mp4',
    status: 202,
  },
  'mp3 with a title': {
    bytes: () => recording('mp3', ...TONE, '-metadata', `title=${SECRET}`),
    claimed: 'audio/mpeg',
    name: 'a.mp3',
    type: 'audio',
    stored: 'audio/mpeg',
    status: 202,
    extra: made => {
      assert.equal(made['preview_url'], null)
      assert.ok(Math.abs(Number(originalOf(made)['duration']) - 1) < 0.2)
    },
  },
  '3gp with sound': {
    bytes: () => recording('3gp', ...TONE, '-c:a', 'aac'),
    claimed: 'audio/3gpp',
    name: 'a.3gp',
    type: 'audio',
    stored: 'audio/mpeg',
    status: 202,
  },
  'asf with sound': {
    bytes: () => recording('wma', ...TONE, '-c:a', 'wmav2', '-f', 'asf'),
    claimed: 'video/x-ms-asf',
    name: 'a.wma',
    type: 'audio',
    stored: 'audio/mpeg',
    status: 202,
  },
}

async function ready(owner: Person, accepted: Entity): Promise<Entity> {
  assert.equal(accepted['url'], null)
  const response = await until(
    () => owner.get(`/api/v1/media/${accepted.id}`),
    ({ status }) => status !== 206,
    'the file to be processed',
  )
  return entity(response)
}

async function check(alice: Person, about: string, kind: Kind): Promise<void> {
  const bytes = await kind.bytes()
  const sent = { type: kind.claimed, name: kind.name, description: about }
  for (const version of ['v1', 'v2'] as const) {
    const status = version === 'v1' ? 200 : kind.status
    const answered = entity(await upload(alice, version, bytes, sent), status)
    const made = status === 202 ? await ready(alice, answered) : answered
    assert.deepEqual([made['type'], made['description']], [kind.type, about], `${about} ${version}`)
    const file = await fetchFile(made['url'])
    assert.equal(file.headers.get('content-type'), kind.stored, about)
    assert.equal(file.headers.get('x-content-type-options'), 'nosniff')
    assert.match(file.headers.get('cache-control') ?? '', /max-age=31536000, immutable/)
    assert.ok(!file.bytes.includes(SECRET), `${about}: the metadata are removed`)
    const part = await fetch(String(made['url']), { headers: { range: 'bytes=2-5' } })
    assert.equal(part.status, 206)
    assert.deepEqual(Buffer.from(await part.arrayBuffer()), file.bytes.subarray(2, 6))
    if (kind.type === 'image') assert.equal((await sharp(file.bytes).metadata()).exif, undefined)
    await kind.extra?.(made, file.bytes)
  }
}

test('pictures of every type are processed', async t => {
  const { alice } = await people(t, 'alice')
  for (const [about, kind] of Object.entries(PICTURES)) await check(alice, about, kind)
})

test('audio and video of every type are processed', { skip: withoutFfmpeg }, async t => {
  const { alice } = await people(t, 'alice')
  for (const [about, kind] of Object.entries(RECORDINGS)) await check(alice, about, kind)
})

/** A ZIP with one file (APPNOTE.TXT, 4.3.6), the container of many documents and programs. */
function zip(): Buffer {
  const name = Buffer.from('a.txt')
  const packed = deflateRawSync(Buffer.from('hello'))
  const head = Buffer.alloc(30)
  head.write('PK\x03\x04', 'latin1')
  head.writeUInt16LE(8, 8)
  head.writeUInt32LE(crc32('hello'), 14)
  head.writeUInt32LE(packed.length, 18)
  head.writeUInt32LE(5, 22)
  head.writeUInt16LE(name.length, 26)
  return Buffer.concat([head, name, packed])
}

/** A JPEG whose header claims this size. */
async function stretched(width: number, height: number): Promise<Buffer> {
  const bytes = await picture(8, 8).jpeg().toBuffer()
  const frame = bytes.indexOf(Buffer.from([0xff, 0xc0, 0x00, 0x11]))
  bytes.writeUInt16BE(height, frame + 5)
  bytes.writeUInt16BE(width, frame + 7)
  return bytes
}

test('unsupported files are refused under any name', async t => {
  const { alice } = await people(t, 'alice')
  const wrong = 'Validation failed: File content type is invalid, File is invalid'
  const cases: [string, Buffer, string][] = [
    ['a zip that is called .jpg', zip(), wrong],
    ['100 megapixels', plainPng(10_000, 10_000), '10000x10000 images are not supported'],
    ['a claim of 100 megapixels', await stretched(12_500, 8000), '12500x8000 images are not supported'],
    ['one row too many', plainPng(7680, 4321), '7680x4321 images are not supported'],
    ['one column', plainPng(1, 33_000_000), '1x33000000 images are not supported'],
    ['one row', plainPng(33_000_000, 1), '33000000x1 images are not supported'],
    ['a side too long', plainPng(65_536, 2), '65536x2 images are not supported'],
  ]
  const before = process.memoryUsage().rss
  for (const version of ['v1', 'v2'] as const) {
    for (const [about, bytes, error] of cases) {
      const refused: ClientResponse = await upload(alice, version, bytes, { type: 'image/jpeg', name: 'holiday.jpg' })
      assert.deepEqual([refused.status, errorOf(refused)], [422, error], about)
    }
  }
  assert.ok(process.memoryUsage().rss - before < 150_000_000, 'it is refused before decompression')
  assert.equal(entity(await upload(alice, 'v2', plainPng(7680, 4320)))['type'], 'image')
})

test('an animation with too many frames is cut', async t => {
  const { alice } = await people(t, 'alice')
  const frames = 1100
  const pixels = Buffer.alloc(4 * 4 * 3 * frames)
  for (let frame = 0; frame < frames; frame += 1) pixels.fill((frame * 37) & 255, frame * 48, (frame + 1) * 48)
  const webp = await sharp(pixels, { raw: { width: 4, height: 4 * frames, channels: 3, pageHeight: 4 } })
    .webp({ effort: 0 })
    .toBuffer()
  const made = entity(await upload(alice, 'v2', webp, { type: 'image/webp' }))
  assert.equal((await sharp((await fetchFile(made['url'])).bytes, { pages: -1 }).metadata()).pages, 1000)
})

test('a picture whose metadata decompress to a gigabyte is processed in bounded memory', async t => {
  const { alice } = await people(t, 'alice')
  const [head, ...rest] = [plainPng(8, 8).subarray(0, 33), plainPng(8, 8).subarray(33)]
  const packed = deflateSync(Buffer.alloc(200_000_000))
  const profile = pngPart('iCCP', Buffer.concat([Buffer.from('x\0\0'), packed]))
  const text = pngPart('zTXt', Buffer.concat([Buffer.from('Comment\0\0'), packed]))
  const before = process.memoryUsage().rss
  const response = await upload(alice, 'v2', Buffer.concat([head, profile, text, text, text, ...rest]))
  assert.ok(response.status === 200 || response.status === 422, response.text)
  assert.ok(process.memoryUsage().rss - before < 150_000_000)
})
