import assert from 'node:assert/strict'
import { test } from 'tap'
import { people, person, sql, type Person } from '../support/people.ts'
import { entity, errorOf, media, sorted, tell } from './status_fixtures.ts'

test('the response to a post is the status that others read', async t => {
  const { alice, bob, anonymous } = await people(t, 'alice', 'bob')
  const posted = await alice.postStatus('Hello #World, see https://example.com/a')
  assert.equal(posted['visibility'], 'public')
  assert.match(
    String(posted['content']),
    /^<p>Hello <a href="[^"]+\/tags\/World" class="mention hashtag" rel="tag">#<span>World/,
  )
  assert.deepEqual(posted['tags'], [{ name: 'world', url: `${alice.server.url}/tags/world` }])
  assert.deepEqual(posted['application'], { name: 'Test', website: null })
  assert.equal(posted['url'], `${alice.server.url}/@${alice.username}/${posted.id}`)
  assert.equal(posted['pinned'], false)
  assert.equal(entity(posted['account'])['statuses_count'], 1)

  const seen = entity((await bob.get(`/api/v1/statuses/${posted.id}`)).json)
  assert.equal('pinned' in seen, false)
  assert.equal(seen['favourited'], false)
  assert.deepEqual(entity(seen['quote_approval']), { automatic: ['public'], manual: [], current_user: 'automatic' })
  const open = entity((await anonymous.get(`/api/v1/statuses/${posted.id}`)).json)
  assert.equal('favourited' in open, false)
  assert.equal('filtered' in open, false)
  assert.equal(entity(open['quote_approval'])['current_user'], 'denied')
})

test('every member of a status is present, in the order of its entity', async t => {
  const { alice } = await people(t, 'alice')
  const members =
    'id uri created_at account content visibility sensitive spoiler_text media_attachments application mentions tags emojis ' +
    'reblogs_count favourites_count quotes_count replies_count url in_reply_to_id in_reply_to_account_id reblog poll card ' +
    'language edited_at quote quote_approval tagged_collections favourited reblogged muted bookmarked pinned filtered'
  assert.deepEqual(Object.keys(await alice.postStatus('all of it')), members.split(' '))
})

test('invalid posts are refused with the texts that clients show', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  const [running] = await media(server, alice, [{ type: 'image', processing: 'running' }])
  const [image, video, audio] = await media(server, alice, [{ type: 'image' }, { type: 'video' }, { type: 'audio' }])
  const [failed] = await media(server, alice, [{ type: 'image', processing: 'failed' }])
  const [foreign] = await media(server, bob, [{ type: 'image' }])
  await sql(
    server,
    `insert into tags (name, display_name, usable) values ('spam', 'Spam', false), ('scam', 'scam', false)`,
  )
  const soon = new Date(Date.now() + 60_000).toISOString()
  const cases: [Record<string, unknown>, string][] = [
    [{}, "Validation failed: Text can't be blank"],
    [{ status: ' \n ' }, "Validation failed: Text can't be blank"],
    [{ status: 'x'.repeat(501) }, 'Validation failed: Text character limit of 500 exceeded'],
    [{ status: 'x'.repeat(499), spoiler_text: 'xx' }, 'Validation failed: Text character limit of 500 exceeded'],
    [{ status: 'x', visibility: 'everyone' }, 'Validation failed: Visibility is not included in the list'],
    [{ status: 'x', quote_approval_policy: 'friends' }, 'Record invalid'],
    [{ status: 'x', scheduled_at: 'whenever' }, 'Record invalid'],
    [{ status: 'x', scheduled_at: soon }, 'Validation failed: Scheduled at date must be in the future'],
    [{ status: 'x', media_ids: ['1', '2', '3', '4', '5'] }, 'Cannot attach more than 4 files'],
    [{ status: 'x', media_ids: ['1', 'x2'] }, 'Media 1, x2 not found or already attached to another post'],
    [{ status: 'x', media_ids: [foreign] }, `Media ${foreign} not found or already attached to another post`],
    [{ status: 'x', media_ids: [image, video] }, 'Cannot attach a video to a post that already contains images'],
    [{ status: 'x', media_ids: [audio, image] }, 'Cannot attach a video to a post that already contains images'],
    [
      { status: 'x', media_ids: [running] },
      'Cannot attach files that have not finished processing. Try again in a moment!',
    ],
    [
      { status: 'x', media_ids: [failed] },
      'Cannot attach files that have not finished processing. Try again in a moment!',
    ],
    [{ status: 'buy #Spam' }, 'Validation failed: Text contained a disallowed hashtag: spam'],
    [{ status: '#spam #scam' }, 'Validation failed: Text contained the disallowed hashtags: spam, scam'],
  ]
  for (const [body, message] of cases) {
    const response = await alice.post('/api/v1/statuses', body)
    assert.equal(response.status, 422, `${JSON.stringify(body)} ${response.text}`)
    assert.equal(errorOf(response), message)
  }
  for (const parent of ['0', 'abc', '12345', (await bob.postStatus('secret', { visibility: 'private' })).id]) {
    const response = await alice.post('/api/v1/statuses', { status: 'x', in_reply_to_id: parent })
    assert.equal(response.status, 404)
    assert.equal(errorOf(response), 'The post you are trying to reply to does not appear to exist.')
  }
  const [stored] = await sql(server, 'select count(*)::integer as n from statuses where account_id = $1', [alice.id])
  assert.equal(stored?.['n'], 0)
})

test('500 characters are counted as a reader would', async t => {
  const { alice } = await people(t, 'alice')
  const url = `https://example.com/${'x'.repeat(300)}`
  assert.equal((await alice.post('/api/v1/statuses', { status: `${'y'.repeat(476)} ${url}` })).status, 200)
  assert.equal((await alice.post('/api/v1/statuses', { status: `${'y'.repeat(477)} ${url}` })).status, 422)
  assert.equal((await alice.post('/api/v1/statuses', { status: '👨‍👩‍👧'.repeat(500) })).status, 200)
  const short = Array.from({ length: 21 }, () => 'http://a.co').join(' ')
  assert.equal((await alice.post('/api/v1/statuses', { status: short })).status, 422, 'a short URL counts 23 too')
})

test('a content warning makes a status sensitive, and becomes the text when there is none', async t => {
  const { alice } = await people(t, 'alice')
  const warned = await alice.postStatus('inside', { spoiler_text: ' careful ', sensitive: false })
  assert.equal(warned['spoiler_text'], 'careful')
  assert.equal(warned['sensitive'], true)
  const swapped = await alice.postStatus('', { spoiler_text: 'only this' })
  assert.equal(swapped['spoiler_text'], '')
  assert.equal(swapped['content'], '<p>only this</p>')
  assert.equal(swapped['sensitive'], true)
})

test('preferences replace omitted parameters', async t => {
  const { server } = await people(t)
  const preferences = {
    default_privacy: 'unlisted',
    default_sensitive: true,
    default_language: 'de',
    default_quote_policy: 'followers',
  }
  const careful = await person(server, 'careful', { user: { preferences: JSON.stringify(preferences) } })
  const posted = await careful.postStatus('Hallo', { language: 'klingon' })
  assert.deepEqual(
    [posted['visibility'], posted['sensitive'], posted['language'], entity(posted['quote_approval'])['automatic']],
    ['unlisted', true, 'de', ['followers']],
  )
  const own = await careful.postStatus('hello', {
    visibility: 'public',
    sensitive: false,
    language: 'en',
    quote_approval_policy: 'nobody',
  })
  assert.deepEqual(
    [own['visibility'], own['sensitive'], own['language'], entity(own['quote_approval'])],
    ['public', false, 'en', { automatic: [], manual: [], current_user: 'automatic' }],
  )
  const locked = await person(server, 'locked', { account: { locked: true }, user: { locale: 'fr' } })
  const private_ = await locked.postStatus('bonjour', { quote_approval_policy: 'public' })
  assert.deepEqual([private_['visibility'], private_['language']], ['private', 'fr'])
  assert.deepEqual(entity(private_['quote_approval'])['automatic'], [])
  const limited = await person(server, 'limited', { account: { silenced_at: new Date() } })
  assert.equal((await limited.postStatus('public?'))['visibility'], 'unlisted')
  const direct = await alone(server, limited)
  assert.equal(entity(direct['quote_approval'])['current_user'], 'denied')
})

const alone = (_: unknown, who: Person) => who.postStatus('to nobody', { visibility: 'direct' })

test('mentions become accounts, links and notifications, except for blocked accounts', async t => {
  const { alice, bob, carol, server } = await people(t, 'alice', 'bob', 'carol')
  await tell(server, `insert into blocks (account_id, target_account_id) values (${alice.id}, ${carol.id})`)
  const [pending] = await sql(
    server,
    `insert into accounts (username, pending) values ('ghost', true) returning username`,
  )
  const host = new URL(server.url).hostname
  const posted = await alice.postStatus(
    `hi @${bob.username.toUpperCase()} and @${bob.username}@${host} @${carol.username} @nobody @${String(pending?.['username'])}`,
  )
  assert.deepEqual(posted['mentions'], [
    { id: bob.id, username: bob.username, url: `${server.url}/@${bob.username}`, acct: bob.username },
  ])
  const content = String(posted['content'])
  assert.match(
    content,
    new RegExp(
      `hi <span class="h-card" translate="no"><a href="[^"]+/@${bob.username}" class="u-url mention">@<span>${bob.username}`,
    ),
  )
  assert.match(content, new RegExp(` @${carol.username} @nobody`))
  const source = entity((await alice.get(`/api/v1/statuses/${posted.id}/source`)).json)
  assert.match(String(source['text']), new RegExp(`^hi @${bob.username} and @${bob.username} @`))
  const received = await sql(server, 'select account_id::text, type from notifications where status_id = $1', [
    posted.id,
  ])
  assert.deepEqual(received, [{ account_id: bob.id, type: 'mention' }])
})

test('a post with unexpected mentions is not sent', async t => {
  const { alice, bob, carol, server } = await people(t, 'alice', 'bob', 'carol')
  const status = `@${bob.username} @${carol.username}`
  const response = await alice.post('/api/v1/statuses', { status, allowed_mentions: [bob.id] })
  assert.equal(response.status, 422)
  assert.equal(errorOf(response), 'Post would be sent to unexpected accounts')
  const unexpected = entity(response.json)['unexpected_accounts'] as Record<string, unknown>[]
  assert.deepEqual(
    unexpected.map(account => account['id']),
    [carol.id],
  )
  assert.equal((await alice.post('/api/v1/statuses', { status, allowed_mentions: [] })).status, 422)
  assert.equal((await alice.post('/api/v1/statuses', { status, allowed_mentions: [bob.id, carol.id] })).status, 200)
  const [stored] = await sql(server, 'select count(*)::integer as n from statuses where account_id = $1', [alice.id])
  assert.equal(stored?.['n'], 1)
})

test('a reply joins the thread, is counted, and replies to the account that its thread answers', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  const root = await alice.postStatus('root')
  const a = await bob.postStatus('a', { in_reply_to_id: root.id })
  const b = await bob.postStatus('b', { in_reply_to_id: a.id })
  await bob.postStatus('quiet', { in_reply_to_id: root.id, visibility: 'private' })
  assert.deepEqual([a['in_reply_to_id'], a['in_reply_to_account_id']], [root.id, alice.id])
  assert.deepEqual([b['in_reply_to_id'], b['in_reply_to_account_id']], [a.id, alice.id])
  const own = await alice.postStatus('myself', { in_reply_to_id: root.id })
  assert.equal(own['in_reply_to_account_id'], alice.id)
  assert.equal(entity((await alice.get(`/api/v1/statuses/${root.id}`)).json)['replies_count'], 2)
  const rows = await sql(server, 'select distinct conversation_id from statuses where id = any ($1)', [
    [root.id, a.id, b.id, own.id],
  ])
  assert.equal(rows.length, 1)
  const boost = entity((await bob.post(`/api/v1/statuses/${root.id}/reblog`)).json)
  assert.equal((await bob.postStatus('to the boost', { in_reply_to_id: boost['id'] }))['in_reply_to_id'], root.id)
})

test('attachments are shown in the given order, and belong to one status', async t => {
  const { alice, server } = await people(t, 'alice')
  const ids = await media(server, alice, [{ type: 'image', description: 'one' }, { type: 'gifv' }])
  const reversed = [...ids].reverse()
  const posted = await alice.postStatus('', { media_ids: reversed })
  const shown = posted['media_attachments'] as Record<string, unknown>[]
  assert.deepEqual(
    shown.map(one => one['id']),
    reversed,
  )
  assert.equal(shown[1]?.['description'], 'one')
  assert.equal(posted['content'], '')
  const again = await alice.post('/api/v1/statuses', { status: 'x', media_ids: ids })
  assert.equal(errorOf(again), `Media ${ids.join(', ')} not found or already attached to another post`)
})

test('of concurrent posts with the same file only one succeeds', async t => {
  const { alice, server } = await people(t, 'alice')
  const [id] = await media(server, alice, [{ type: 'image' }])
  const answers = await Promise.all(
    Array.from({ length: 6 }, () => alice.post('/api/v1/statuses', { status: 'x', media_ids: [id] })),
  )
  assert.deepEqual(sorted(answers.map(response => response.status)), [200, 422, 422, 422, 422, 422])
  const failed = answers.filter(response => response.status === 422)
  for (const response of failed)
    assert.equal(errorOf(response), `Media ${id} not found or already attached to another post`)
  const [stored] = await sql(server, 'select count(*)::integer as n from statuses where account_id = $1', [alice.id])
  assert.equal(stored?.['n'], 1)
})

test('a status may be posted as a form', async t => {
  const { alice } = await people(t, 'alice')
  const form = new URLSearchParams({ status: 'from a form', sensitive: 'false', visibility: 'unlisted' })
  const posted = entity((await alice.post('/api/v1/statuses', form)).json)
  assert.deepEqual([posted['content'], posted['visibility']], ['<p>from a form</p>', 'unlisted'])
})

test('an application is shown unless its author hides it', async t => {
  const { alice, anonymous, server } = await people(t, 'alice')
  const shy = await person(server, 'shy', { user: { preferences: JSON.stringify({ show_application: false }) } })
  const posted = await shy.postStatus('who knows')
  assert.deepEqual(posted['application'], { name: 'Test', website: null })
  assert.equal('application' in entity((await anonymous.get(`/api/v1/statuses/${posted.id}`)).json), false)
  await sql(
    server,
    `update applications set website = 'https://app.example'
     where id in (select application_id from oauth_tokens where user_id = $1)`,
    [alice.userId],
  )
  const { id } = await alice.postStatus('me')
  const shown = entity((await anonymous.get(`/api/v1/statuses/${id}`)).json)
  assert.deepEqual(shown['application'], { name: 'Test', website: 'https://app.example' })
})

test('custom emojis of the text are included in the status', async t => {
  const { alice, server } = await people(t, 'alice')
  await tell(
    server,
    `insert into custom_emojis (shortcode, image) values ('blob', '{"key":"a.png","static_key":"b.png","type":"image/png"}')`,
  )
  const posted = await alice.postStatus('a :blob: and :nothing: x:blob:y', { spoiler_text: ':blob:' })
  const emojis = posted['emojis'] as Record<string, unknown>[]
  assert.equal(emojis.length, 1)
  assert.deepEqual(Object.keys(emojis[0] ?? {}), ['shortcode', 'url', 'static_url', 'visible_in_picker'])
  assert.deepEqual((await alice.postStatus('no x:blob:y'))['emojis'], [])
})
