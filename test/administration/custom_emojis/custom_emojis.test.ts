import assert from 'node:assert/strict'
import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import sharp from 'sharp'
import { test } from 'tap'
import { pack } from '../../support/archive.ts'
import { Client } from '../../support/client.ts'
import { connect, waitForLocks } from '../../support/other_transaction.ts'
import { sql } from '../../support/people.ts'
import { sharedServer, startServer, type TestServer } from '../../support/server.ts'
import { assertCsrf, assertOnlyStaff, loggedActions, readText, staffMember } from '../staff_fixtures.ts'

const PATH = '/admin/custom_emojis'

interface Emoji {
  shortcode: string
  url: string
  static_url: string
  category?: string
  featured?: boolean
}

const picker = async (server: TestServer): Promise<Emoji[]> =>
  (await new Client(server, 'unknown').get('/api/v1/custom_emojis')).json as Emoji[]

const picture = async (): Promise<File> => {
  const gif = await sharp({ create: { width: 16, height: 16, channels: 4, background: 'red' } })
    .gif()
    .toBuffer()
  return new File([new Uint8Array(gif)], 'blob.gif', { type: 'image/gif' })
}

const idOf = async (server: TestServer, shortcode: string): Promise<string> => {
  const [row] = await sql(server, 'select id::text from custom_emojis where shortcode = $1', [shortcode])
  return String(row?.['id'])
}

test('custom emojis need the permission to manage custom emojis', async t => {
  const server = await sharedServer()
  await assertOnlyStaff(t, server, [PATH, `${PATH}/new`, `${PATH}/import`])
  const { browser: moderator } = await staffMember(t, server, 'moderator')
  assert.equal((await moderator.get(PATH)).status, 403)
  const { browser } = await staffMember(t, server, 'admin')
  await assertCsrf(browser, PATH, { 'emoji[shortcode]': 'stolen' })
  await assertCsrf(browser, `${PATH}/batch`, { change: 'delete', 'ids[]': '1' })
})

test('an emoji is uploaded, sorted, unlisted, disabled and deleted', async t => {
  const server = await sharedServer()
  const { person, browser } = await staffMember(t, server, 'admin')
  const form = await browser.get(`${PATH}/new`)
  const send = (change: Record<string, string | File>) => browser.submit(form, PATH, change)
  const refused = async (change: Record<string, string | File>, error: RegExp): Promise<void> => {
    const page = await send(change)
    assert.equal(page.status, 422)
    assert.match(readText(page), error)
  }
  const file = await picture()
  await refused({ 'emoji[shortcode]': 'a', 'emoji[image]': file }, /must be 2 to 128 letters/)
  await refused({ 'emoji[shortcode]': 'blob' }, /can't be blank/)
  await refused({ 'emoji[shortcode]': 'blob', 'emoji[image]': new File(['text'], 'x.png') }, /must be a PNG, GIF/)
  const large = new File([new Uint8Array(262_144)], 'x.png')
  await refused({ 'emoji[shortcode]': 'blob', 'emoji[image]': large }, /smaller than 256 KiB/)
  const broken = new File([new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0])], 'x.png')
  await refused({ 'emoji[shortcode]': 'blob', 'emoji[image]': broken }, /cannot be read/)

  const added = await send({ 'emoji[shortcode]': ':blob:', 'emoji[category]': 'Blobs', 'emoji[image]': file })
  assert.deepEqual([added.status, added.location], [303, PATH])
  const [shown] = await picker(server)
  assert.deepEqual([shown?.shortcode, shown?.category], ['blob', 'Blobs'])
  assert.equal((await fetch(shown?.url ?? '')).headers.get('content-type'), 'image/gif')
  await refused({ 'emoji[shortcode]': 'blob', 'emoji[image]': file }, /already been taken/)
  await send({ 'emoji[shortcode]': 'blob', 'emoji[image]': file, 'emoji[overwrite]': '1' })
  assert.notEqual((await picker(server))[0]?.url, shown?.url)

  const id = await idOf(server, 'blob')
  const list = await browser.get(PATH)
  assert.match(readText(list), /:blob: Blobs/)
  const change = (name: string, more: Record<string, string> = {}) =>
    browser.submit(list, `${PATH}/batch`, { change: name, 'ids[]': [id, '999999'], ...more })
  await change('feature')
  assert.equal((await picker(server))[0]?.featured, true)
  await change('categorize', { category: 'Round' })
  assert.deepEqual([(await picker(server))[0]?.category, (await picker(server))[0]?.featured], ['Round', false])
  await change('unlist')
  assert.deepEqual(await picker(server), [])
  assert.match(readText(await browser.get(`${PATH}?shortcode=BLO`)), /1 entry was changed.*:blob: Round Unlisted/)
  await change('list')
  await change('disable')
  assert.deepEqual(await picker(server), [])
  await change('enable')
  assert.equal((await picker(server)).length, 1)
  await change('delete')
  assert.match(readText(await browser.get(PATH)), /There are no emojis here/)
  assert.equal((await browser.submit(list, `${PATH}/batch`, { change: 'explode', 'ids[]': id })).status, 422)
  const actions = ['create', 'update', 'update', 'update', 'update', 'update', 'disable', 'enable', 'destroy']
  assert.deepEqual(
    await loggedActions(server, person),
    actions.map(action => `${action} CustomEmoji blob`),
  )
})

test('emojis of other servers are found, copied and disabled', async t => {
  const server = await sharedServer()
  const { browser } = await staffMember(t, server, 'admin')
  const form = await browser.get(`${PATH}/new`)
  await browser.submit(form, PATH, { 'emoji[shortcode]': 'seed', 'emoji[image]': await picture() })
  await sql(
    server,
    `insert into custom_emojis (shortcode, domain, image)
     select name, 'far.example', case name when 'lost' then '{"key": "emojis/x.gif", "static_key": "emojis/x.png"}' else e.image end
     from custom_emojis e, unnest(array['tree', 'seed', 'lost']) name where e.shortcode = 'seed'`,
  )
  const list = await browser.get(`${PATH}?remote=1&domain=FAR.example`)
  assert.match(readText(list), /:lost: far\.example.*:tree: far\.example/)
  const [row] = await sql(server, `select array_agg(id::text) as ids from custom_emojis where domain = 'far.example'`)
  const ids = row?.['ids'] as string[]
  const copied = await browser.submit(list, `${PATH}/batch`, { change: 'copy', 'ids[]': ids })
  assert.equal(copied.location, `${PATH}?remote=1&domain=far.example`)
  assert.match(readText(await browser.get(PATH)), /1 entry was changed.*:tree:/)
  assert.deepEqual((await picker(server)).map(({ shortcode }) => shortcode).toSorted(), ['seed', 'tree'])
  await browser.submit(list, `${PATH}/batch`, { change: 'disable', 'ids[]': ids })
  const [disabled] = await sql(
    server,
    `select count(*)::integer as count from custom_emojis where domain = 'far.example' and disabled`,
  )
  assert.equal(disabled?.['count'], 3)
})

test('long lists have pages', async t => {
  const server = await sharedServer()
  const { browser } = await staffMember(t, server, 'admin')
  await sql(
    server,
    `insert into custom_emojis (shortcode, domain, image)
     select 'page_' || n, 'pages.example', '{"key": "emojis/x.gif", "static_key": "emojis/x.png"}'
     from generate_series(1, 60) n`,
  )
  const first = await browser.get(`${PATH}?remote=1&domain=pages.example`)
  const older = /href="([^"]*max_id=\d+)"/.exec(first.text)?.[1]?.replaceAll('&amp;', '&') ?? ''
  const second = await browser.get(older)
  const count = (text: string): number => text.match(/:page_\d+:<\/bdi>/g)?.length ?? 0
  assert.deepEqual([count(first.text), count(second.text)], [50, 10])
})

test('an archive of emojis is imported, and unsuitable files are named', async t => {
  const server = await sharedServer()
  const { person, browser } = await staffMember(t, server, 'admin')
  const form = await browser.get(`${PATH}/import`)
  const send = (archive: Buffer | null, change: Record<string, string> = {}) =>
    browser.submit(form, `${PATH}/import`, {
      ...change,
      ...(archive && { archive: new File([new Uint8Array(archive)], 'emojis.tar.gz') }),
    })
  for (const wrong of [null, Buffer.from('no archive'), Buffer.from([0x1f, 0x8b, 1, 2, 3])]) {
    const refused = await send(wrong)
    assert.equal(refused.status, 422)
    assert.match(readText(refused), /not an archive/)
  }
  const gif = Buffer.from(await (await picture()).arrayBuffer())
  const packed = pack({ 'a/crate.gif': gif, 'b/box.gif': gif, 'readme.txt': Buffer.from('x'), '.hidden.gif': gif })
  const done = await send(packed, { prefix: 'my_', category: 'Boxes', listed: '' })
  assert.deepEqual([done.status, done.location], [303, PATH])
  assert.match(readText(await browser.get(PATH)), /Imported 2, left out 0 .*0 cannot be emojis/)
  const logged = await loggedActions(server, person)
  for (const name of ['my_crate', 'my_box']) assert.ok(logged.includes(`create CustomEmoji ${name}`), logged.join())
  assert.match(
    readText(await send(pack({ 'crate.gif': gif, 'bad.gif': Buffer.from('text') }), { prefix: 'my_' })),
    /Imported 0, left out 1 .*1 cannot be emojis.*bad\.gif must be a PNG/,
  )
})

test('the emojis of this server are downloaded as an archive that can be imported', async t => {
  const server = await startServer(t)
  const { browser } = await staffMember(t, server, 'admin')
  const { browser: moderator } = await staffMember(t, server, 'moderator')
  const gif = Buffer.from(await (await picture()).arrayBuffer())
  const send = async (archive: Uint8Array<ArrayBuffer>, prefix: string) =>
    browser.submit(await browser.get(`${PATH}/import`), `${PATH}/import`, {
      archive: new File([archive], 'emojis.tar.gz'),
      prefix,
    })
  const place = `${PATH}/export.tar.gz`
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const download = async () => fetch(`${server.url}${place}`, { headers: { cookie } })
  assert.equal((await download()).status, 200, 'as long as there are none, the archive is empty')
  await send(new Uint8Array(pack({ 'crate.gif': gif, 'box.gif': gif })), '')
  assert.ok((await browser.get(PATH)).text.includes(place))
  assert.equal((await moderator.get(place)).status, 403)
  const response = await download()
  assert.match(response.headers.get('content-disposition') ?? '', /^attachment; filename="export\.tar\.gz"$/)
  await send(new Uint8Array(await response.arrayBuffer()), 'again_')
  assert.deepEqual((await picker(server)).map(({ shortcode }) => shortcode).toSorted(), [
    'again_box',
    'again_crate',
    'box',
    'crate',
  ])
})

test('two emojis of a category that are featured at the same moment are featured one after the other', async t => {
  const server = await sharedServer()
  const { browser } = await staffMember(t, server, 'admin')
  const form = await browser.get(`${PATH}/new`)
  for (const shortcode of ['first_star', 'second_star']) {
    const draft = { 'emoji[shortcode]': shortcode, 'emoji[category]': 'Stars', 'emoji[image]': await picture() }
    assert.equal((await browser.submit(form, PATH, draft)).status, 303)
  }
  const list = await browser.get(PATH)
  const feature = (id: string) => browser.submit(list, `${PATH}/batch`, { change: 'feature', 'ids[]': id })
  const [first, second] = [await idOf(server, 'first_star'), await idOf(server, 'second_star')]
  const other = await connect(t, server)
  await other.query('begin')
  await other.query('select from custom_emojis where id = $1 for update', [first])
  const waiting = feature(first)
  await waitForLocks(server, 1, waiting)
  assert.equal((await feature(second)).status, 303)
  await other.query('commit')
  assert.equal((await waiting).status, 303)
  const stars = (await picker(server)).filter(({ category }) => category === 'Stars')
  assert.deepEqual(
    stars.map(({ shortcode, featured }) => [shortcode, featured]),
    [
      ['first_star', true],
      ['second_star', false],
    ],
  )
})

test('an emoji is deleted although its file cannot be removed at once', async t => {
  const server = await sharedServer()
  const { browser } = await staffMember(t, server, 'admin')
  const form = await browser.get(`${PATH}/new`)
  await browser.submit(form, PATH, { 'emoji[shortcode]': 'stuck', 'emoji[image]': await picture() })
  const [row] = await sql(server, `select image ->> 'key' as key from custom_emojis where shortcode = 'stuck'`)
  const file = path.join(server.config.dataDir, 'media', String(row?.['key']))
  await rm(file)
  await mkdir(path.join(file, 'in-the-way'), { recursive: true })
  const ids = await idOf(server, 'stuck')
  const list = await browser.get(PATH)
  const deleted = await browser.submit(list, `${PATH}/batch`, { change: 'delete', 'ids[]': ids })
  assert.deepEqual([deleted.status, deleted.location], [303, PATH])
  await rm(file, { recursive: true })
})
