import assert from 'node:assert/strict'
import { test, type Test } from 'tap'
import { staffMember } from '../../administration/staff_fixtures.ts'
import { movingGif, picture, until } from '../../media/attachments/media_fixtures.ts'
import { startSite } from '../../statuses/preview_cards/site.ts'
import type { Browser, Change, Page } from '../../support/browser.ts'
import { connect, waitForLocks } from '../../support/other_transaction.ts'
import { people, sql } from '../../support/people.ts'
import { sharedServer, startServer, type TestServer } from '../../support/server.ts'
import { storedFiles } from '../../support/stored_files.ts'

/* Files of emojis, site pictures and preview cards that are replaced at the same time. */

const file = (bytes: Buffer, name: string): File => new File([Uint8Array.from(bytes)], name)

/** Sends requests whose statements wait for each other, behind a transaction of the test. */
async function atOnce(t: Test, server: TestServer, hold: string, send: () => Promise<unknown>): Promise<void> {
  const other = await connect(t, server)
  await other.query('begin')
  await other.query(hold)
  const sent = send()
  await waitForLocks(server, 2, sent)
  await other.query('rollback')
  await sent
}

/** Waits until the storage has exactly the files that rows name. */
async function onlyFiles(server: TestServer, kind: string, keys: string): Promise<void> {
  const named = async (): Promise<string[]> =>
    (await sql(server, `select distinct key from (${keys}) named (key) where key is not null`)).map(({ key }) =>
      String(key),
    )
  const differing = async (): Promise<string[]> => {
    const [stored, wanted] = [await storedFiles(server, kind), await named()]
    return [...stored.filter(key => !wanted.includes(key)), ...wanted.filter(key => !stored.includes(key))]
  }
  await until(differing, keysLeft => keysLeft.length === 0, `the files of ${kind}`)
  assert.ok((await named()).length > 0)
}

const EMOJI_KEYS = `select unnest(array[e.image ->> 'key', e.image ->> 'static_key']) from custom_emojis e where e.domain is null`
const SITE_KEYS = 'select f.value from site_pictures p cross join lateral jsonb_each_text(p.keys) f'
const CARD_KEYS = 'select image_key from preview_cards'

const EMOJIS = '/admin/custom_emojis'
const MASCOT = '/admin/settings/pictures/mascot'

async function sendEmoji(browser: Browser, form: Page, more: Change = {}): Promise<Page> {
  const image = file(await movingGif(16, 16), 'blob.gif')
  return browser.submit(form, EMOJIS, { 'emoji[shortcode]': 'blob', 'emoji[image]': image, ...more })
}

test('an emoji that is saved twice at the same time has one picture', async t => {
  const server = await sharedServer()
  const { browser } = await staffMember(t, server, 'admin')
  const form = await browser.get(`${EMOJIS}/new`)
  const send = (): Promise<unknown> =>
    Promise.all([1, 2].map(() => sendEmoji(browser, form, { 'emoji[overwrite]': '1' })))
  await atOnce(t, server, `insert into custom_emojis (shortcode, image) values ('blob', '{}')`, send)
  await onlyFiles(server, 'emojis', EMOJI_KEYS)
  await atOnce(t, server, `select from custom_emojis where shortcode = 'blob' for update`, send)
  await onlyFiles(server, 'emojis', EMOJI_KEYS)
  const actions = await sql(server, `select action from admin_action_logs where target_name = 'blob' order by id`)
  assert.deepEqual(
    actions.map(({ action }) => action),
    ['create', 'update', 'update', 'update'],
  )
})

test('a site picture that is replaced twice at the same time has one version', async t => {
  const server = await sharedServer()
  const { browser } = await staffMember(t, server, 'admin')
  const page = await browser.get('/admin/settings/appearance')
  const bytes = await picture(60, 40).png().toBuffer()
  const send = (): Promise<unknown> =>
    Promise.all([1, 2].map(() => browser.submit(page, MASCOT, { file: file(bytes, 'mascot.png') })))
  await atOnce(t, server, `insert into site_pictures (name, keys) values ('mascot', '{}')`, send)
  await onlyFiles(server, 'site', SITE_KEYS)
  await atOnce(t, server, `select from site_pictures where name = 'mascot' for update`, send)
  await onlyFiles(server, 'site', SITE_KEYS)
})

test('a page that is fetched twice at the same time has one picture', async t => {
  const { alice, server } = await people(t, 'alice')
  const site = await startSite(t)
  site.page('/i.png', await picture(60, 40).png().toBuffer(), { 'content-type': 'image/png' })
  const both = Promise.withResolvers<void>()
  let asked = 0
  const url = site.page('/page', (_, response) => {
    asked += 1
    if (asked === 2) both.resolve()
    const html = '<head><meta property="og:title" content="Page"><meta property="og:image" content="/i.png"></head>'
    void both.promise.then(() => response.writeHead(200, { 'content-type': 'text/html' }).end(html))
  })
  const other = await connect(t, server)
  await other.query('begin')
  await other.query(`insert into preview_cards (url, type) values ($1, 'link')`, [url])
  // Previews of statuses with even and with odd ids are made at the same time.
  const ids = new Map<bigint, string>()
  while (ids.size < 2) {
    const { id } = await alice.postStatus('plain')
    ids.set(BigInt(id) % 2n, id)
    await sql(server, 'select snowflake()')
  }
  for (const id of ids.values()) await alice.put(`/api/v1/statuses/${id}`, { status: url })
  await waitForLocks(server, 2)
  await other.query('rollback')
  for (const id of ids.values()) {
    const card = async (): Promise<unknown> =>
      ((await alice.get(`/api/v1/statuses/${id}`)).json as { card: unknown }).card
    await until(card, found => found !== null, 'the card')
  }
  await onlyFiles(server, 'preview_cards', CARD_KEYS)
})

test('an emoji or site picture that cannot be saved leaves no files', async t => {
  const server = await startServer(t)
  const { browser } = await staffMember(t, server, 'admin')
  const [form, page] = [await browser.get(`${EMOJIS}/new`), await browser.get('/admin/settings/appearance')]
  for (const table of ['custom_emojis', 'site_pictures'])
    await sql(server, `alter table ${table} add constraint refused check (false) not valid`)
  assert.equal((await sendEmoji(browser, form)).status, 500)
  const bytes = await picture(60, 40).png().toBuffer()
  assert.equal((await browser.submit(page, MASCOT, { file: file(bytes, 'mascot.png') })).status, 500)
  assert.deepEqual([await storedFiles(server, 'emojis'), await storedFiles(server, 'site')], [[], []])
})
