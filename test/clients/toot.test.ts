import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import sharp from 'sharp'
import { test, type Test } from 'tap'
import { people, type Person } from '../support/people.ts'

const run = promisify(execFile)

const noToot = spawnSync('toot', ['--help'], { env: { ...process.env, XDG_CONFIG_HOME: tmpdir() } }).error !== undefined

/** The terminal client toot, signed in as a person. */
async function tootOf(t: Test, { server, token, username }: Person) {
  const folder = await mkdtemp(path.join(tmpdir(), 'millrace-toot-'))
  t.after(() => rm(folder, { recursive: true }))
  const instance = new URL(server.url).host
  const user = `${username}@${instance}`
  await mkdir(path.join(folder, 'toot'))
  await writeFile(
    path.join(folder, 'toot/config.json'),
    JSON.stringify({
      apps: { [instance]: { instance, base_url: server.url, client_id: 'x', client_secret: 'x' } },
      users: { [user]: { instance, username, access_token: token } },
      active_user: user,
    }),
  )
  const toot = async (...given: string[]): Promise<string> =>
    (
      await run('toot', [...given, '--no-color'], {
        env: { ...process.env, XDG_CONFIG_HOME: folder, COLUMNS: '120', PYTHONWARNINGS: 'ignore' },
      })
    ).stdout
  return { toot, folder }
}

const idIn = (text: string): string => /(\d{10,})\s*$/m.exec(text)?.[1] ?? ''

test('toot posts, reads, interacts and deletes', { skip: noToot && 'toot is not installed' }, async t => {
  const { alice, bob } = await people(t, 'alice', 'bob')
  const [{ toot: asAlice, folder }, { toot: asBob }] = [await tootOf(t, alice), await tootOf(t, bob)]
  assert.match(await asAlice('whoami'), new RegExp(`@${alice.username}`))
  assert.match(await asAlice('follow', bob.username), /now following/)
  const id = idIn(await asBob('post', 'a #quiet morning', '--visibility', 'unlisted'))
  assert.equal(((await alice.get(`/api/v1/statuses/${id}`)).json as { visibility: string }).visibility, 'unlisted')
  assert.match(await asAlice('timeline', '--once'), /a #quiet morning/)
  for (const act of ['favourite', 'reblog', 'bookmark']) assert.match(await asAlice(act, id), /✓/)
  assert.match(await asAlice('bookmarks', '--once'), /a #quiet morning/)
  assert.match(await asAlice('reblogged_by', id), new RegExp(`@${alice.username}`))
  const notified = await asBob('notifications')
  for (const words of [/favourited your status/, /reblogged your status/, /now follows you/])
    assert.match(notified, words)
  await asAlice('post', `@${bob.username} indeed`, '--reply-to', id)
  assert.match(await asBob('thread', id), /a #quiet morning[^]*indeed/)
  assert.match(await asAlice('search', bob.username), new RegExp(`@${bob.username}`))
  const file = path.join(folder, 'water.png')
  await sharp({ create: { width: 40, height: 30, channels: 3, background: '#1d6f8a' } }).toFile(file)
  const shown = idIn(await asBob('post', 'look', '--media', file, '--description', 'water'))
  const { media_attachments: media } = (await bob.get(`/api/v1/statuses/${shown}`)).json as {
    media_attachments: { description: string }[]
  }
  assert.deepEqual(
    media.map(one => one.description),
    ['water'],
  )
  assert.match(await asBob('delete', id), /✓/)
  assert.equal((await alice.get(`/api/v1/statuses/${id}`)).status, 404)
  assert.match(await asAlice('unfollow', bob.username), /no longer following/)
})
