import assert from 'node:assert/strict'
import sharp from 'sharp'
import { test } from 'tap'
import { Browser, readHtml } from '../../support/browser.ts'
import { Client } from '../../support/client.ts'
import { person, sql } from '../../support/people.ts'
import { begin, endDelay, linkIn, offer, subscribed, type Setting } from './subscription_fixtures.ts'

/** The posts that wait to be sent. */
async function waiting({ server }: Setting): Promise<string[]> {
  const rows = await sql(
    server,
    `select s.text from graphile_worker._private_jobs j join statuses s on s.id = (j.payload ->> 'status_id')::bigint
     join graphile_worker._private_tasks k on k.id = j.task_id
     where k.identifier = 'email_subscriptions.send' and j.run_at between now() + interval '1 minute' and now() + interval '2 minutes'
     order by s.id`,
  )
  return rows.map(({ text }) => String(text))
}

test('new public posts are sent after two minutes: no replies to others, boosts, or other visibilities', async t => {
  const setting = await begin(t)
  const { server, author, mailbox } = setting
  await author.postStatus('nobody reads this by e-mail')
  assert.deepEqual(await waiting(setting), [])
  await subscribed(setting, 'reader@example.com')
  const other = await person(server, 'other')
  const { id: theirs } = await other.postStatus('hello')
  const { id: first } = await author.postStatus('first <b> & #tea')
  await author.postStatus('a thread', { in_reply_to_id: first })
  await author.postStatus(`@${other.username} a reply`, { in_reply_to_id: theirs })
  await author.post(`/api/v1/statuses/${theirs}/reblog`)
  for (const visibility of ['unlisted', 'private', 'direct']) await author.postStatus(visibility, { visibility })
  assert.deepEqual(await waiting(setting), ['first <b> & #tea', 'a thread'])
  await endDelay(setting)

  const email = await mailbox.email('reader@example.com', /first/)
  assert.equal(email.subject, 'author: first <b> & #tea')
  const { publicUrl } = server.config
  assert.match(email.text, /^author \(@author_\w+@[^)]+\) wrote:\s+first <b> & #tea\s+http/)
  assert.ok(email.text.includes(`${publicUrl}/@${author.username}/${first}`))
  assert.ok(email.html.includes('first &lt;b&gt; &amp; <a dir="auto" href='), email.html)
  const unsubscribe = linkIn(email.text, '/unsubscribe')
  assert.ok(email.html.includes('>Unsubscribe</a>'))
  assert.match(email.headers, /^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r?$/m)
  assert.equal(/^List-Unsubscribe: <([^>]+)>/m.exec(email.headers)?.[1], `${publicUrl}${unsubscribe}`)
  assert.match(email.headers, new RegExp(`^List-ID: <${author.username}\\.`, 'm'))
  assert.match(email.headers, /^Content-Type: multipart\/alternative/m)
  await mailbox.email('reader@example.com', /a thread/)
  assert.equal(mailbox.count('reader@example.com'), 3)
})

test('an e-mail has the warning, the poll and the files of a post', async t => {
  const setting = await begin(t)
  const { author, mailbox } = setting
  await subscribed(setting, 'reader@example.com')
  await author.postStatus('Which <one>?', {
    spoiler_text: 'drinks & more',
    poll: { options: ['tea', 'coffee'], expires_in: 3600 },
  })
  await endDelay(setting)
  const email = await mailbox.email('reader@example.com', /drinks/)
  assert.equal(email.subject, 'author: drinks & more')
  assert.match(email.text, /Content warning: drinks & more\s+Which <one>\?\s+Poll:\s+- tea\s+- coffee/)
  assert.ok(email.html.includes('Content warning: <bdi>drinks &amp; more</bdi>'))
  assert.ok(email.html.includes('<li dir="auto">coffee</li>'))

  const file = new FormData()
  const pixel = await sharp({ create: { width: 9, height: 9, channels: 3, background: 'teal' } })
    .png()
    .toBuffer()
  file.append('file', new Blob([pixel], { type: 'image/png' }), 'pixel.png')
  file.append('description', 'A <teal> square')
  const media = (await author.post('/api/v1/media', file)).json as { id: string; url: string }
  await author.postStatus('', { media_ids: [media.id] })
  await endDelay(setting)
  const picture = await mailbox.email('reader@example.com', /New post/)
  assert.ok(picture.text.replaceAll('\r', '').includes(`Picture: A <teal> square\n${media.url}`), picture.text)
  assert.ok(picture.html.includes(`<a href="${media.url}">Picture: <bdi>A &lt;teal&gt; square</bdi></a>`), picture.html)
})

test('each part of an e-mail has its own direction, which labels, names and addresses do not decide', async t => {
  const setting = await begin(t)
  const { author, mailbox } = setting
  await subscribed(setting, 'reader@example.com')
  const poll = { options: ['چای', 'tea'], expires_in: 3600 }
  await author.postStatus(`@${author.username} سلام\n\nhttps://example.com/b שלום`, { spoiler_text: 'هشدار', poll })
  await endDelay(setting)
  const { html } = await mailbox.email('reader@example.com', /هشدار/)
  assert.match(html, /<strong>Content warning: <bdi>هشدار<\/bdi><\/strong>/)
  assert.match(
    html,
    /<p dir="auto"><span class="h-card" translate="no"><a dir="auto" href=[^>]*>@<span>\w+<\/span><\/a>/,
  )
  assert.match(html, /<p dir="auto"><a dir="auto" href="https:\/\/example\.com\/b"/)
  assert.match(html, /<li dir="auto">چای<\/li>/)
})

test('the subject of an e-mail has no characters that reverse or embed what follows', async t => {
  const setting = await begin(t)
  const { author, mailbox } = setting
  await subscribed(setting, 'reader@example.com')
  await author.postStatus('Your \u202Etnuocca\u202C is \u2066safe\u2069 \u200Fnow')
  await endDelay(setting)
  const { subject, html } = await mailbox.email('reader@example.com', /safe/)
  assert.equal(subject, 'author: Your tnuocca is safe now')
  assert.ok(html.includes('Your \u202Etnuocca'), 'the post itself is as it was written')
})

test('a post that is deleted, or an offer that ends, before the delay is over is not sent', async t => {
  const setting = await begin(t)
  const { author, mailbox } = setting
  await subscribed(setting, 'reader@example.com')
  const { id } = await author.postStatus('a mistake')
  await author.delete(`/api/v1/statuses/${id}`)
  const { id: edited } = await author.postStatus('a typpo')
  await author.put(`/api/v1/statuses/${edited}`, { status: 'a typo' })
  await endDelay(setting)
  await mailbox.email('reader@example.com', /: a typo$/)
  await author.postStatus('while it was offered')
  await offer(setting, false)
  await endDelay(setting)
  await offer(setting)
  await author.postStatus('the last one')
  await endDelay(setting)
  await mailbox.email('reader@example.com', /the last one/)
  assert.equal(mailbox.count('reader@example.com'), 3)
})

test('everybody gets a post once: while the mail server fails, in batches, and when jobs run twice', async t => {
  const setting = await begin(t)
  const { server, author, mailbox } = setting
  const readers = Array.from({ length: 60 }, (_, index) => `reader${index}@example.com`)
  await sql(
    server,
    `insert into email_subscriptions (account_id, email, confirmed_at) select $1, email, now() from unnest($2::text[]) email`,
    [author.id, readers],
  )
  const { id } = await author.postStatus('to all')
  mailbox.refusing = true
  mailbox.refusals.set('reader3@example.com', [550, '5.1.1 no such user'])
  mailbox.refusals.set('reader4@example.com', [450, '4.2.1 try later'])
  mailbox.refusals.set('reader5@example.com', [554, '5.7.1 your server is on a list'])
  await endDelay(setting)
  await mailbox.refused()
  mailbox.refusing = false
  await mailbox.email('reader59@example.com', /to all/)
  for (const payload of [{ status_id: id }, { status_id: id }])
    await sql(server, `select graphile_worker.add_job('email_subscriptions.send', $1)`, [payload])
  mailbox.refusals.clear()
  await endDelay(setting)
  for (const reader of ['reader4', 'reader5']) await mailbox.email(`${reader}@example.com`, /to all/)
  await author.postStatus('and again')
  await endDelay(setting)
  await mailbox.email('reader59@example.com', /and again/)
  await endDelay(setting)
  for (const reader of readers.slice(0, -1))
    if (reader !== 'reader3@example.com') await mailbox.email(reader, /and again/)
  const counts = Object.groupBy(readers, reader => String(mailbox.count(reader)))
  assert.deepEqual(counts['0'], ['reader3@example.com'])
  assert.equal(counts['2']?.length, 59, 'a refusal by policy is not about the address')
  const rows = await sql(
    server,
    `select email from email_subscriptions where email like 'reader3@%' or email like 'reader5@%'`,
  )
  assert.deepEqual(rows, [{ email: 'reader5@example.com' }], 'an address that is refused for ever is removed')
})

test('what an address is refused for, such as relaying, removes nobody and holds up nobody else', async t => {
  const setting = await begin(t)
  const { server, author, mailbox } = setting
  const [first, second] = ['one@relay.example', 'two@example.com'] as const
  for (const reader of [first, second]) await subscribed(setting, reader)
  await author.postStatus('hello')
  mailbox.refusals.set(first, [554, `5.7.1 <${first}>: Relay access denied`])
  await endDelay(setting)
  await mailbox.email(second, /hello/)
  mailbox.refusals.clear()
  await endDelay(setting)
  await mailbox.email(first, /hello/)
  const rows = await sql(server, 'select email from email_subscriptions order by email')
  assert.deepEqual(
    rows.map(({ email }) => email),
    [first, second],
  )
})

test('the link in an e-mail unsubscribes: a page asks, one click of a program acts', async t => {
  const setting = await begin(t)
  const { server, author, mailbox } = setting
  for (const reader of ['one@example.com', 'two@example.com']) await subscribed(setting, reader)
  await author.postStatus('hello')
  await endDelay(setting)
  const [one, two] = [await mailbox.email('one@example.com', /hello/), await mailbox.email('two@example.com', /hello/)]
  const addresses = async (): Promise<unknown[]> =>
    (await sql(server, 'select email from email_subscriptions order by email')).map(({ email }) => email)

  const visitor = new Browser(server)
  const link = linkIn(one.text, '/unsubscribe')
  const page = await visitor.get(link)
  assert.match(readHtml(page.text), new RegExp(`@${author.username}@.*one@example.com`, 's'))
  assert.deepEqual(await addresses(), ['one@example.com', 'two@example.com'], 'to open the link is not enough')
  const gone = await visitor.submit(page, link)
  assert.equal(gone.status, 200)
  assert.match(gone.text, /You are unsubscribed/)
  assert.deepEqual(await addresses(), ['two@example.com'])
  assert.match((await visitor.get(link)).text, /You are unsubscribed/, 'again')

  const header = /^List-Unsubscribe: <([^>]+)>/m.exec(two.headers)?.[1] ?? ''
  const oneClick = await new Client(server).post(
    new URL(header).pathname + new URL(header).search,
    new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }),
  )
  assert.equal(oneClick.status, 200)
  assert.deepEqual(await addresses(), [])

  const { searchParams } = new URL(header)
  const token = searchParams.get('token') ?? ''
  for (const wrong of [
    `token=${token}x&type=posts`,
    `token=${token}&type=follow`,
    `token=${token}&type=x`,
    'type=posts',
    '',
  ])
    assert.equal((await visitor.get(`/unsubscribe?${wrong}`)).status, 404, wrong)
  assert.equal((await visitor.post('/unsubscribe?type=posts&token=x', {})).status, 404)
})

test('the owner sees the subscribers, page by page, and removes one', async t => {
  const setting = await begin(t)
  const { server, author, browser } = setting
  const page = '/settings/email_subscriptions'
  assert.match((await browser.get(page)).text, /Nobody is subscribed/)
  await sql(
    server,
    `insert into email_subscriptions (account_id, email, confirmed_at)
     select $1, 'reader' || n || '@example.com', case when n > 2 then now() end from generate_series(1, 45) n`,
    [author.id],
  )
  const first = await browser.get(page)
  assert.match(first.text, /43 confirmed subscribers/)
  assert.match(first.text, /2 addresses have not been confirmed yet/)
  assert.equal(first.text.match(/reader\d+@example/g)?.length, 40)
  const older = /href="(\/settings\/email_subscriptions\?max_id=\d+)"/.exec(first.text)?.[1]
  assert.ok(older)
  const second = await browser.get(older)
  assert.equal(second.text.match(/reader\d+@example/g)?.length, 3)
  const remove = second.forms.find(form => form.action.startsWith(`${page}/`))?.action
  assert.ok(remove)
  assert.equal((await browser.submit(second, remove, {}, 'delete')).location, page)
  assert.match((await browser.get(page)).text, /42 confirmed subscribers/)
  assert.equal((await browser.submit(second, remove, {}, 'delete')).status, 404)
  assert.equal((await browser.post(page, { _method: 'put', offers: '0' })).status, 422, 'without the token')
  assert.equal((await new Browser(server).get(page)).location, '/auth/sign_in')
})
