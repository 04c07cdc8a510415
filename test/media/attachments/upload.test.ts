import assert from 'node:assert/strict'
import sharp from 'sharp'
import { test } from 'tap'
import { people } from '../../support/people.ts'
import { entity, errorOf, fetchFile, movingGif, picture, upload } from './media_fixtures.ts'

const VERSIONS = ['v1', 'v2'] as const
const WRONG_TYPE = 'Validation failed: File content type is invalid, File is invalid'

test('a picture is ready at once, with a preview and metadata', async t => {
  const { alice } = await people(t, 'alice')
  const bytes = await picture(600, 400).jpeg().toBuffer()
  for (const version of VERSIONS) {
    const made = entity(await upload(alice, version, bytes, { type: 'image/jpeg', description: ' a red field ' }))
    assert.equal(made['type'], 'image')
    assert.equal(made['description'], 'a red field')
    assert.deepEqual(made['meta'], {
      original: { width: 600, height: 400, size: '600x400', aspect: 1.5 },
      small: { width: 588, height: 392, size: '588x392', aspect: 1.5 },
    })
    assert.match(String(made['blurhash']), /^U[0-9A-Za-z#$%*+,\-.:;=?@[\]^_{|}~]{35}$/)
    assert.equal(made['remote_url'], null)
    assert.equal(made['text_url'], null)
    const [original, preview] = [await fetchFile(made['url']), await fetchFile(made['preview_url'])]
    assert.equal((await sharp(original.bytes).metadata()).width, 600)
    assert.equal((await sharp(preview.bytes).metadata()).width, 588)
    assert.ok(!String(made['url']).includes('file'), 'the URL does not contain the name of the file')
  }
})

test('the type of a picture is detected from its bytes, whatever type is claimed', async t => {
  const { alice } = await people(t, 'alice')
  const kinds = {
    png: [await picture(20, 20).png().toBuffer(), 'image/png'],
    gif: [await picture(20, 20).gif().toBuffer(), 'image/gif'],
    webp: [await picture(20, 20).webp().toBuffer(), 'image/webp'],
    avif: [await picture(20, 20).avif().toBuffer(), 'image/jpeg'],
  } as const
  for (const [kind, [bytes, type]] of Object.entries(kinds)) {
    const made = entity(await upload(alice, 'v2', bytes, { type: 'text/plain', name: 'x.html' }))
    assert.equal(made['type'], 'image', kind)
    assert.equal((await fetchFile(made['url'])).headers.get('content-type'), type, kind)
  }
})

test('pictures are turned upright and lose their metadata', async t => {
  const { alice } = await people(t, 'alice')
  const bytes = await picture(80, 40)
    .jpeg()
    .withMetadata({ orientation: 6 })
    .withExif({ IFD0: { Orientation: '6', Copyright: 'somebody at home' } })
    .toBuffer()
  assert.ok(bytes.includes('somebody at home'))
  const made = entity(await upload(alice, 'v2', bytes, { type: 'image/jpeg' }))
  assert.deepEqual((made['meta'] as Record<string, unknown>)['original'], {
    width: 40,
    height: 80,
    size: '40x80',
    aspect: 0.5,
  })
  const stored = (await fetchFile(made['url'])).bytes
  const metadata = await sharp(stored).metadata()
  assert.deepEqual(
    [metadata.width, metadata.height, metadata.orientation, metadata.exif],
    [40, 80, undefined, undefined],
  )
  // The white corner was at the top left; a quarter turn to the right moves it to the top right.
  const { data } = await sharp(stored).raw().toBuffer({ resolveWithObject: true })
  const at = (x: number, y: number): number => data[(y * 40 + x) * 3 + 1] ?? 0
  assert.ok(at(38, 2) > 200 && at(2, 2) < 120)
})

/**
 * A picture as telephones make them: 64x48, red with a white corner at the top left, a rotation by
 * a quarter clockwise, and EXIF. The frame was made with x265, the container after ISO/IEC
 * 23008-12.
 */
const HEIC = [
  'AAAAGGZ0eXBoZWljAAAAAG1pZjFoZWljAAABcW1ldGEAAAAAAAAAIWhkbHIAAAAAAAAAAHBpY3QAAAAAAAAAAAAAAAAAAAAADnBpdG0AAAAAAA',
  'EAAAAsaWxvYwAAAABEAAACAAEAAAABAAABkQAAADcAAgAAAAEAAAHIAAAANQAAADhpaW5mAAAAAAACAAAAFWluZmUCAAAAAAEAAGh2YzEAAAAA',
  'FWluZmUCAAABAAIAAEV4aWYAAAAAGmlyZWYAAAAAAAAADmNkc2MAAgABAAEAAAC4aXBycAAAAJppcGNvAAAAdWh2Y0MBAWAAAACQAAAAAAAe8A',
  'D8/fj4AAAPA6AAAQAYQAEMAf//AWAAAAMAkAAAAwAAAwAelZgJoQABAClCAQEBYAAAAwCQAAADAAADAB6gIIMWWVmuTK8BaAgAAAMACAAAAwDI',
  'QKIAAQAGRAHBc9CJAAAAFGlzcGUAAAAAAAAAQAAAADAAAAAJaXJvdAMAAAAWaXBtYQAAAAAAAAABAAEDgQKDAAAAdG1kYXQAAAAzKAGveOVaIz',
  'e5szjGhT/4mmCgaqRa7W/JB7tcLh3j0VT0DiqH/lhOfRK8x/Q8oKmD3zHYAAAABkV4aWYAAElJKgAIAAAAAQCYggIAEQAAABoAAAAAAAAAc29t',
  'ZWJvZHkgYXQgaG9tZQA=',
].join('')

test('HEIC, which browsers cannot show, becomes JPEG: upright and without metadata', async t => {
  const { alice } = await people(t, 'alice')
  for (const version of VERSIONS) {
    const bytes = Buffer.from(HEIC, 'base64')
    assert.ok(bytes.includes('somebody at home'))
    const made = entity(await upload(alice, version, bytes, { type: 'image/heic', name: 'photo.heic' }))
    const { original } = made['meta'] as Record<string, unknown>
    assert.deepEqual(original, { width: 48, height: 64, size: '48x64', aspect: 0.75 })
    const { bytes: stored, headers } = await fetchFile(made['url'])
    assert.equal(headers.get('content-type'), 'image/jpeg')
    assert.ok(!stored.includes('somebody at home'))
    const { data, info } = await sharp(stored).raw().toBuffer({ resolveWithObject: true })
    const at = (x: number, y: number): number[] => [
      ...data.subarray((y * info.width + x) * info.channels).subarray(0, 3),
    ]
    assert.ok(Math.min(...at(44, 3)) > 230, `white at the top right: ${at(44, 3).join()}`)
    assert.ok((at(3, 3)[1] ?? 255) < 90, `red at the top left: ${at(3, 3).join()}`)

    const huge = Buffer.from(bytes)
    const size = huge.indexOf('ispe') + 8
    huge.writeUInt32BE(30_000, size)
    huge.writeUInt32BE(30_000, size + 4)
    const refusedHuge = await upload(alice, version, huge, { type: 'image/heic' })
    assert.deepEqual([refusedHuge.status, errorOf(refusedHuge)], [422, '30000x30000 images are not supported'])

    const broken = Buffer.from(bytes)
    broken.fill(0, broken.indexOf('mdat') + 8, broken.indexOf('mdat') + 60)
    const refused = await upload(alice, version, broken, { type: 'image/heic' })
    assert.deepEqual([refused.status, errorOf(refused)], [422, 'File type of uploaded media could not be verified'])
  }
})

test('large pictures are scaled down', async t => {
  const { alice } = await people(t, 'alice')
  for (const version of VERSIONS) {
    const made = entity(await upload(alice, version, await picture(6000, 3000).jpeg({ quality: 30 }).toBuffer()))
    const { original, small } = made['meta'] as Record<string, Record<string, number>>
    assert.equal(original?.['width'], 4073)
    assert.equal(original?.['height'], 2036)
    assert.equal(small?.['width'], 679)
    assert.equal((await sharp((await fetchFile(made['url'])).bytes).metadata()).width, 4073)
  }
})

test('too many bytes or pixels are refused', async t => {
  const { alice } = await people(t, 'alice')
  for (const version of VERSIONS) {
    const large = Buffer.concat([await picture(10, 10).png().toBuffer(), Buffer.alloc(16_777_216)])
    assert.equal(
      errorOf(await upload(alice, version, large)),
      'Validation failed: File file size must be less than 16 MB, File must be less than 16 MB',
    )
    const wide = await sharp({ create: { width: 8000, height: 5000, channels: 3, background: 'red' } })
      .png()
      .toBuffer()
    const refused = await upload(alice, version, wide)
    assert.equal(refused.status, 422)
    assert.equal(errorOf(refused), '8000x5000 images are not supported')
    const gif = await sharp({ create: { width: 1300, height: 800, channels: 3, background: 'red' } })
      .gif()
      .toBuffer()
    assert.equal(errorOf(await upload(alice, version, gif)), '1300x800 GIF files are not supported')
  }
})

test('a file that is not a picture is refused, whatever its name', async t => {
  const { alice } = await people(t, 'alice')
  for (const version of VERSIONS) {
    const cases: [Buffer, string][] = [
      [Buffer.from('<!doctype html><script>alert(1)</script>'), WRONG_TYPE],
      [Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"></svg>'), WRONG_TYPE],
      [Buffer.from('%PDF-1.7\n\0'), WRONG_TYPE],
      [Buffer.from([0, 1, 2, 3, 4, 5, 6, 7, 8]), 'File type of uploaded media could not be verified'],
      [Buffer.alloc(0), 'File type of uploaded media could not be verified'],
      [Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 0]), 'File type of uploaded media could not be verified'],
    ]
    for (const [bytes, error] of cases) {
      const refused = await upload(alice, version, bytes, { type: 'image/png', name: 'picture.png' })
      assert.equal(refused.status, 422, refused.text)
      assert.equal(errorOf(refused), error)
    }
    const cut = (await picture(300, 300).jpeg().toBuffer()).subarray(0, 900)
    assert.equal((await upload(alice, version, Buffer.from(cut))).status, 422)
    assert.equal(errorOf(await alice.post(`/api/${version}/media`, {})), "Validation failed: File can't be blank")
  }
})

test('a file may be sent as a data: URI', async t => {
  const { alice } = await people(t, 'alice')
  const file = `data:image/png;base64,${(await picture(12, 8).png().toBuffer()).toString('base64')}`
  assert.equal(entity(await alice.post('/api/v2/media', { file }))['type'], 'image')
})

test('the description of a picture is checked before the picture is stored', async t => {
  const { alice } = await people(t, 'alice')
  for (const version of VERSIONS) {
    const bytes = await picture(10, 10).png().toBuffer()
    assert.equal(
      errorOf(await upload(alice, version, bytes, { description: 'x'.repeat(10_001) })),
      'Validation failed: Description is too long (maximum is 10000 characters)',
    )
    assert.equal(
      errorOf(await upload(alice, version, bytes, { thumbnail: bytes })),
      'Validation failed: Thumbnail must be blank',
    )
    const made = entity(await upload(alice, version, bytes, { description: 'x'.repeat(10_000), focus: '-0.5,1.5' }))
    assert.deepEqual((made['meta'] as Record<string, unknown>)['focus'], { x: -0.5, y: 1.5 })
  }
})

test('the first two numbers of a focus count, and a text that is no number is 0', async t => {
  const { alice } = await people(t, 'alice')
  const bytes = await picture(10, 10).png().toBuffer()
  const cases: [string, object][] = [
    ['a,b', { x: 0, y: 0 }],
    ['0.5', { x: 0.5, y: 0 }],
    ['0,50,-0,30', { x: 0, y: 50 }],
    ['"0.1,0.2"', { x: 0, y: 0.2 }],
    ['0,Infinity', { x: 0, y: 0 }],
  ]
  for (const [focus, expected] of cases) {
    const made = entity(await upload(alice, 'v2', bytes, { focus, description: 'x' }))
    assert.deepEqual((made['meta'] as Record<string, unknown>)['focus'], expected, focus)
    assert.equal(made['description'], 'x')
  }
})

test('uploading needs a user with the right scope', async t => {
  const { anonymous } = await people(t)
  const bytes = await picture(10, 10).png().toBuffer()
  assert.equal((await upload(anonymous, 'v2', bytes)).status, 401)
})

test('an animation in another format than GIF keeps its frames', async t => {
  const { alice } = await people(t, 'alice')
  const webp = await sharp(await movingGif(30, 20), { animated: true })
    .webp()
    .toBuffer()
  const made = entity(await upload(alice, 'v2', webp))
  assert.equal((await sharp((await fetchFile(made['url'])).bytes).metadata()).pages, 2)
  assert.equal((await sharp((await fetchFile(made['preview_url'])).bytes).metadata()).pages ?? 1, 1)
})

test('an animation that has to be turned is stored upright, as a picture', async t => {
  const { alice } = await people(t, 'alice')
  const webp = await sharp(await movingGif(30, 20), { animated: true })
    .withMetadata({ orientation: 6 })
    .webp()
    .toBuffer()
  const made = entity(await upload(alice, 'v2', webp))
  const { width, height, pages = 1 } = await sharp((await fetchFile(made['url'])).bytes).metadata()
  assert.deepEqual([width, height, pages], [20, 30, 1])
})
