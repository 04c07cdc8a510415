import assert from 'node:assert/strict'
import { test } from 'tap'
import { people, sql, waitForEventLog } from '../../support/people.ts'
import type { ClientResponse, Client } from '../../support/client.ts'
import { media } from '../../statuses/status_fixtures.ts'

/** Removes the line breaks between the elements of the HTML in oEmbed data. */
function flat({ json }: ClientResponse): Record<string, unknown> {
  const data = json as { html: string }
  return { ...data, html: data.html.replace(/\s*\n\s*/g, '') }
}

const embed = (client: Client, path: string) => client.get(path, {}, { accept: 'text/html' })

test('oEmbed data is available for public and unlisted statuses by each of their addresses', async t => {
  const { alice, anonymous, server } = await people(t, 'alice')
  const { publicUrl, localDomain } = server.config
  const { id } = await alice.postStatus('hello', { visibility: 'unlisted' })
  const url = `${publicUrl}/@${alice.username}/${id}`
  const expected = {
    type: 'rich',
    version: '1.0',
    author_name: 'alice',
    author_url: `${publicUrl}/@${alice.username}`,
    provider_name: localDomain,
    provider_url: `${publicUrl}/`,
    cache_age: 86_400,
    html:
      `<blockquote class="mastodon-embed" data-embed-url="${url}/embed"><a href="${url}" target="_blank" rel="noopener">` +
      `Post by @${alice.username}@${localDomain}</a></blockquote><script src="${publicUrl}/embed.js" async></script>`,
    width: 400,
    height: null,
  }
  for (const address of [url, `${publicUrl}/users/${alice.username}/statuses/${id}`]) {
    const response = await anonymous.get('/api/oembed', { url: address })
    assert.deepEqual([response.status, flat(response)], [200, expected])
    assert.equal(response.headers.get('cache-control'), 'private, no-store')
  }
  const sized = await anonymous.get('/api/oembed', { url, maxwidth: '200', maxheight: '300' })
  assert.deepEqual(flat(sized), { ...expected, width: 200, height: 300 })
  const script = await anonymous.get('/embed.js')
  assert.deepEqual([script.status, script.headers.get('content-type')], [200, 'text/javascript; charset=utf-8'])
})

test('only public and unlisted statuses can be embedded', async t => {
  const { alice, bob, anonymous, server } = await people(t, 'alice', 'bob')
  const { publicUrl } = server.config
  const missing = async (path: string, error: string): Promise<void> => {
    const response = await anonymous.get('/api/oembed', { url: `${publicUrl}${path}` })
    assert.deepEqual([response.status, response.json], [404, { error }], path)
    assert.equal((await embed(alice, `${path}/embed`)).status, 404, path)
  }
  const shown = await alice.postStatus('hello')
  await missing('/about', 'Record not found')
  await missing(`/@${alice.username}`, 'Record not found')
  for (const visibility of ['private', 'direct']) {
    const { id } = await alice.postStatus(visibility, { visibility })
    await missing(`/@${alice.username}/${id}`, 'Not Found')
  }
  const boost = (await bob.post(`/api/v1/statuses/${shown.id}/reblog`)).json as { id: string }
  await missing(`/@${bob.username}/${boost.id}`, 'Not Found')
  await missing(`/@${alice.username}/1`, 'Not Found')
  assert.equal((await anonymous.get('/api/oembed')).status, 404)
  assert.equal((await anonymous.get('/api/oembed', { url: `https://other.example/@a/${shown.id}` })).status, 404)
  assert.equal((await embed(anonymous, `/@${bob.username}/${shown.id}/embed`)).status, 404)
  assert.equal((await embed(anonymous, `/@${alice.username}/x/embed`)).status, 404)
  await alice.delete(`/api/v1/statuses/${shown.id}`)
  await missing(`/@${alice.username}/${shown.id}`, 'Not Found')
})

test('any site may frame an embedded status, but no other page', async t => {
  const { alice, bob, anonymous, server } = await people(t, 'alice', 'bob')
  const quoted = await bob.postStatus('a quoted text')
  const { id } = await alice.postStatus('<script>alert(1)</script> & so on\n\nhttps://example.com/a', {
    quoted_status_id: quoted.id,
    language: 'fr',
  })
  const response = await embed(anonymous, `/@${alice.username.toUpperCase()}/${id}/embed`)
  assert.equal(response.status, 200)
  assert.equal(response.headers.get('content-type'), 'text/html; charset=utf-8')
  assert.equal(response.headers.get('x-frame-options'), null)
  assert.equal(response.headers.get('x-content-type-options'), 'nosniff')
  assert.equal(response.headers.get('cache-control'), 'public, max-age=180')
  assert.equal(response.headers.get('set-cookie'), null)
  const policy = response.headers.get('content-security-policy') ?? ''
  assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'/)
  assert.doesNotMatch(policy, /frame-ancestors|unsafe/)
  assert.match(response.text, /<body class="embed">/)
  assert.match(response.text, /&lt;script&gt;alert\(1\)&lt;\/script&gt; &amp; so on/)
  assert.doesNotMatch(response.text, /<script>/)
  assert.match(response.text, /<div dir="auto" lang="fr">/)
  assert.match(response.text, /<blockquote\s+class="quoted"[\s\S]*a quoted text/)
  assert.match(response.text, /0 replies/)
  const french = await anonymous.get(`/@${alice.username}/${id}/embed`, {}, { 'accept-language': 'fr' })
  assert.match(french.text, /<html lang="fr">[\s\S]*0 réponse/)
  const other = await anonymous.get('/auth/sign_in', {}, { accept: 'text/html' })
  assert.equal(other.headers.get('x-frame-options'), 'DENY')
  assert.match(other.headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/)
  for (const file of ['/assets/embed.css', '/assets/embedded.js']) assert.equal((await anonymous.get(file)).status, 200)
  await sql(server, 'update accounts set suspended_at = now() where id = $1', [alice.id])
  assert.equal((await embed(anonymous, `/@${alice.username}/${id}/embed`)).status, 404)
})

test('an embed hides text, media and polls behind content warnings', async t => {
  const { alice, bob, anonymous, server } = await people(t, 'alice', 'bob')
  const page = async (id: string): Promise<string> => (await embed(anonymous, `/@${alice.username}/${id}/embed`)).text
  const poll = { options: ['tea & cake', 'coffee'], expires_in: 3600 }
  const question = await alice.postStatus('which?', { poll, spoiler_text: 'food <3' })
  const { id: pollId } = question['poll'] as { id: string }
  await bob.post(`/api/v1/polls/${pollId}/votes`, { choices: [0] })
  const warned = await page(question.id)
  assert.match(
    warned,
    /<details>\s*<summary [^>]*>food &lt;3<\/summary>[\s\S]*which\?[\s\S]*tea &amp; cake[\s\S]*<\/details>/,
  )
  assert.match(warned, /<strong>100 %<\/strong\s*><meter min="0" max="100" value="100" aria-label="tea &amp; cake">/)
  assert.match(warned, /1 vote · Open until <time datetime="/)

  const story = await alice.postStatus('read it', { spoiler_text: 'the end', quoted_status_id: question.id })
  await sql(
    server,
    `with card as (
       insert into preview_cards (url, title, type, fetched_at)
       values ('https://news.example/' || $1::text, 'Everybody dies', 'link', now()) returning id, url
     ), linked as (
       insert into preview_cards_statuses (status_id, preview_card_id, url) select $1::bigint, card.id, card.url from card
     )
     insert into events (kind, status_id) values ('status.counted', $1::bigint)`,
    [story.id],
  )
  await waitForEventLog(alice)
  assert.match(
    await page(story.id),
    /<summary [^>]*>the end<\/summary>[\s\S]*read it[\s\S]*Everybody dies[\s\S]*<blockquote class="quoted"[\s\S]*<\/details>\s*<footer>/,
    'the card and the quoted post are hidden, too',
  )

  const files = await media(server, alice, [{ type: 'image', description: 'A "red" fox' }])
  await sql(
    server,
    `update media_attachments set file_key = 'media/aa/bb/0123456789012345678901234567.png' where id = any ($1)`,
    [files],
  )
  const sensitive = await page((await alice.postStatus('', { media_ids: files, sensitive: true })).id)
  assert.match(sensitive, /<details>\s*<summary>Sensitive content<\/summary>[\s\S]*alt="A &quot;red&quot; fox"/)
})
