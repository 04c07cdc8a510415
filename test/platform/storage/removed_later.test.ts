import assert from 'node:assert/strict'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test, type Test } from 'tap'
import { staffMember } from '../../administration/staff_fixtures.ts'
import { movingGif, picture, until } from '../../media/attachments/media_fixtures.ts'
import type { Browser } from '../../support/browser.ts'
import { sql } from '../../support/people.ts'
import { sharedServer, type TestServer } from '../../support/server.ts'
import { storedFiles } from '../../support/stored_files.ts'

/* Pictures that are deleted while the storage cannot remove their files. */

const file = (bytes: Buffer, name: string): File => new File([Uint8Array.from(bytes)], name)

async function world(t: Test): Promise<{ server: TestServer; browser: Browser }> {
  const server = await sharedServer()
  return { server, browser: (await staffMember(t, server, 'admin')).browser }
}

/** Lets the storage fail to remove files; returns what ends that. */
async function keepFiles(server: TestServer, kind: string): Promise<() => Promise<void>> {
  const keys = await storedFiles(server, kind)
  assert.ok(keys.length > 0)
  const places = keys.map(key => path.join(server.config.dataDir, 'media', key))
  for (const place of places) {
    await rm(place)
    await mkdir(path.join(place, 'folder'), { recursive: true })
  }
  return async () => {
    for (const place of places) {
      await rm(place, { recursive: true })
      await writeFile(place, 'x')
    }
  }
}

const noFiles = (server: TestServer, kind: string): Promise<unknown> =>
  until(
    () => storedFiles(server, kind),
    keys => keys.length === 0,
    `the removal of ${kind}`,
  )

test('an emoji is deleted although its files cannot be removed, which is done later', async t => {
  const { server, browser } = await world(t)
  const page = '/admin/custom_emojis'
  const image = file(await movingGif(16, 16), 'blob.gif')
  await browser.submit(await browser.get(`${page}/new`), page, { 'emoji[shortcode]': 'blob', 'emoji[image]': image })
  const [emoji] = await sql(server, `select id::text from custom_emojis where shortcode = 'blob'`)
  const list = await browser.get(page)
  const endFailure = await keepFiles(server, 'emojis')
  const deleted = await browser.submit(list, `${page}/batch`, { change: 'delete', 'ids[]': [String(emoji?.['id'])] })
  assert.equal(deleted.status, 303)
  await endFailure()
  await noFiles(server, 'emojis')
})

test('a site picture is reset although its files cannot be removed, which is done later', async t => {
  const { server, browser } = await world(t)
  const page = '/admin/settings/pictures/mascot'
  const form = await browser.get('/admin/settings/appearance')
  const bytes = await picture(60, 40).png().toBuffer()
  assert.equal((await browser.submit(form, page, { file: file(bytes, 'mascot.png') })).status, 303)
  const shown = await browser.get('/admin/settings/appearance')
  const endFailure = await keepFiles(server, 'site')
  assert.equal((await browser.submit(shown, page, {}, 'delete')).status, 303)
  await endFailure()
  await noFiles(server, 'site')
})
