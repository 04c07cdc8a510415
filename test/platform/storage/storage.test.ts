import assert from 'node:assert/strict'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test, type Test } from 'tap'
import { ApiError } from '../../../src/core/errors.ts'
import { makeKey, openFolder, typeOfKey, variantKey, type Folder } from '../../../src/platform/storage/index.ts'

async function opened(t: Test): Promise<{ storage: Folder; dataDir: string }> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'millrace-storage-'))
  t.after(() => rm(dataDir, { recursive: true }))
  return { dataDir, storage: openFolder({ dataDir, mediaUrl: 'https://millrace.example/media' }) }
}

test('a stored file can be opened until it is removed', async t => {
  const { storage } = await opened(t)
  const key = makeKey('avatars', 'png')
  assert.equal(await storage.open(key), undefined)
  await storage.put(key, Buffer.from('picture'), 'image/png')
  const file = await storage.open(key)
  assert.equal(file?.sizeBytes, 7)
  assert.equal(file?.type, 'image/png')
  assert.ok(file && Math.abs(file.modifiedAt.getTime() - Date.now()) < 60_000)
  assert.equal(await readFile(file.path, 'utf8'), 'picture')
  assert.equal(storage.url(key), `https://millrace.example/media/${key}`)
  await storage.remove(key)
  await storage.remove(key)
  assert.equal(await storage.open(key), undefined)
})

test('a withheld file is not found by its key, but counted, listed, copied and removed', async t => {
  const { storage, dataDir } = await opened(t)
  const [key, other] = [makeKey('media', 'png'), makeKey('media', 'png')]
  for (const one of [key, other]) await storage.put(one, Buffer.from('picture'), 'image/png')
  const folder = path.join(dataDir, 'media')
  await chmod(folder, 0o750)
  async function listed(): Promise<string[]> {
    const keys: string[] = []
    for await (const one of storage.list()) keys.push(one.key)
    return keys
  }
  assert.equal(await storage.openWithheld(key), undefined)
  for (const _ of [1, 2]) await storage.withhold(key, true)
  assert.equal(await storage.open(key), undefined)
  const file = await storage.openWithheld(key)
  assert.deepEqual([file?.type, await readFile(file?.path ?? '', 'utf8')], ['image/png', 'picture'])
  assert.equal((await stat(file?.path ?? '')).mode & 0o777, 0o600, 'nor does a web server find it')
  assert.deepEqual([await storage.sizeOf(key), await storage.copyFor(key, dataDir)], [7, file?.path])
  assert.deepEqual(await listed(), [key, other].toSorted())
  for (const _ of [1, 2]) await storage.withhold(key, false)
  const again = await storage.open(key)
  assert.equal((await stat(again?.path ?? '')).mode & 0o777, 0o640)
  await storage.withhold(key, true)
  await storage.remove(key)
  assert.deepEqual(await listed(), [other])
  await storage.withhold(key, true)
})

test('keys are random and sharded, and contain the type', async () => {
  const keys = new Set(Array.from({ length: 1000 }, () => makeKey('headers', 'webp')))
  assert.equal(keys.size, 1000)
  for (const key of keys) assert.match(key, /^headers\/[0-9a-f]{2}\/[0-9a-f]{2}\/[0-9a-f]{28}\.webp$/)
  const key = makeKey('avatars', 'gif')
  assert.equal(typeOfKey(key), 'image/gif')
  assert.equal(variantKey(key, 'static', 'png'), key.replace('.gif', '_static.png'))
  assert.equal(typeOfKey(variantKey(key, 'static', 'png')), 'image/png')
  assert.throws(() => makeKey('../avatars', 'gif'))
  assert.throws(() => variantKey(key, '../x', 'png'))
})

test('a key cannot leave the folder', async t => {
  const { storage, dataDir } = await opened(t)
  await mkdir(path.join(dataDir, 'media'), { recursive: true })
  await writeFile(path.join(dataDir, 'secret.png'), 'secret')
  const inside = makeKey('avatars', 'png')
  const outside = [
    '../secret.png',
    'avatars/../../secret.png',
    '/etc/passwd',
    `${inside}/../../../../../secret.png`,
    `${inside}\0.png`,
    `${inside}\n`,
    'avatars',
    'avatars/ab/cd',
    '',
    inside.toUpperCase(),
    inside.replace('avatars', '..'),
    inside.replace('.png', '.html'),
    inside.replace('.png', '.constructor'),
  ]
  for (const key of outside) {
    assert.equal(await storage.open(key), undefined, key)
    await assert.rejects(storage.put(key, Buffer.from('x'), 'image/png'), /does not have the type/, key)
    await assert.rejects(storage.remove(key), /is not a storage key/, key)
  }
})

test('a type that differs from the key is refused', async t => {
  const { storage } = await opened(t)
  await assert.rejects(
    storage.put(makeKey('avatars', 'png'), Buffer.from('x'), 'image/gif'),
    /does not have the type image\/gif/,
  )
})

test('writing leaves no temporary files, also when it fails', async t => {
  const { storage, dataDir } = await opened(t)
  const key = makeKey('avatars', 'png')
  await storage.put(key, Buffer.from('picture'), 'image/png')
  const folder = path.join(dataDir, 'media', path.dirname(key))
  assert.deepEqual(await readdir(folder), [path.basename(key)])

  const taken = makeKey('avatars', 'png')
  const target = path.join(dataDir, 'media', taken)
  await mkdir(target, { recursive: true })
  await writeFile(path.join(target, 'in the way'), '')
  const refused = storage.put(taken, Buffer.from('picture'), 'image/png')
  await assert.rejects(refused, (error: unknown) => error instanceof ApiError && error.status === 503)
  assert.deepEqual(await readdir(path.dirname(target)), [path.basename(taken)])
  assert.equal(await storage.open(taken), undefined)
})
