import assert from 'node:assert/strict'
import sharp from 'sharp'
import { test } from 'tap'
import { openStorage } from '../../src/platform/storage/index.ts'
import { Client } from '../support/client.ts'
import { startServer } from '../support/server.ts'
import { runHere } from './command.ts'

interface Attachment {
  id: string
  description: string | null
  url: string
  preview_url: string
  blurhash: string
  meta: Record<'original' | 'small', { width: number; height: number; size: string; aspect: number }>
}

interface Status {
  id: string
  account: { avatar: string; avatar_static: string; header: string; header_static: string }
  media_attachments: Attachment[]
  content: string
  spoiler_text: string
}

const SEED = ['seed', '--accounts', '20', '--statuses', '300', '--follows-per-account', '5', '--json', '--tokens', '1']

test('every picture of a seeded timeline exists and matches its metadata', async t => {
  const server = await startServer(t)
  const { dataDir, publicUrl } = server.config
  const { code, out, err } = await runHere(SEED, {
    DATABASE_URL: server.databaseUrl,
    DATA_DIR: dataDir,
    PUBLIC_URL: publicUrl,
  })
  assert.equal(code, 0, err)
  const client = new Client(server, (JSON.parse(out) as { token: string }).token)
  const listed = await client.get('/api/v1/timelines/public', { limit: '40', only_media: 'true' })
  const statuses = listed.json as Status[]
  const attachments = statuses.flatMap(status => status.media_attachments)
  assert.ok(attachments.length > 10)
  const files = new Map<string, Promise<Buffer>>()
  const fetchOnce = (url: string): Promise<Buffer> => {
    const known = files.get(url)
    if (known) return known
    const fetched = fetch(url).then(async response => {
      assert.equal(response.status, 200, url)
      assert.match(response.headers.get('content-type') ?? '', /^image\//, url)
      return Buffer.from(await response.arrayBuffer())
    })
    files.set(url, fetched)
    return fetched
  }
  for (const { account } of statuses)
    await Promise.all([account.avatar, account.avatar_static, account.header, account.header_static].map(fetchOnce))
  for (const { url, preview_url, blurhash, meta } of attachments) {
    for (const [address, metadata] of [
      [url, meta.original],
      [preview_url, meta.small],
    ] as const) {
      const { format, width, height } = await sharp(await fetchOnce(address)).metadata()
      assert.deepEqual([format, width, height], ['jpeg', metadata.width, metadata.height])
      assert.deepEqual([metadata.size, metadata.aspect], [`${width}x${height}`, width / height])
    }
    assert.match(blurhash, /^\S{20,}$/)
  }

  const found = await client.get('/api/v2/search', { q: 'picture', type: 'statuses', limit: '40' })
  const described = (found.json as { statuses: Status[] }).statuses.filter(
    status =>
      !/picture/i.test(status.content + status.spoiler_text) &&
      status.media_attachments.some(one => one.description?.includes('picture')),
  )
  assert.notEqual(described.length, 0, 'search finds the descriptions of pictures')

  const first = statuses.find(status => status.media_attachments.length > 0)
  const [shown] = first?.media_attachments ?? []
  assert.ok(shown)
  await openStorage(server.config).remove(new URL(shown.url).pathname.replace('/media/', ''))
  assert.equal((await fetch(shown.url)).status, 200, 'other attachments share the file')
})
