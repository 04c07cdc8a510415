import assert from 'node:assert/strict'
import { test, type Test } from 'tap'
import { violationsOf } from '../conformance/entity.ts'
import { Client } from '../support/client.ts'
import { people, person, sql, type Person } from '../support/people.ts'
import { requestFromEach, PROCESSES } from '../support/processes.ts'
import { startServer, type TestServer } from '../support/server.ts'
import {
  DEEPL_KEY,
  LIBRE_KEY,
  serveDeepl,
  serveLibreTranslate,
  type Backend,
  type Fault,
} from './translation/backends.ts'

interface World {
  readonly server: TestServer
  readonly backend: Backend
  readonly alice: Person
  readonly bob: Person
}

async function open(t: Test, kind: 'deepl' | 'libretranslate'): Promise<World> {
  const backend = kind === 'deepl' ? await serveDeepl(t) : await serveLibreTranslate(t)
  const server = await startServer(t, {
    env: {
      TRANSLATION_BACKEND: kind,
      TRANSLATION_URL: backend.url,
      TRANSLATION_API_KEY: kind === 'deepl' ? DEEPL_KEY : LIBRE_KEY,
      // The operator's own services can be reached all the same.
      ALLOW_PRIVATE_ADDRESSES: 'off',
    },
  })
  return { server, backend, alice: await person(server, 'alice'), bob: await person(server, 'bob') }
}

const translate = (reader: Client, id: string, lang: string | undefined = 'de', headers = {}) =>
  reader.post(`/api/v1/statuses/${id}/translate`, { ...(lang !== '' && { lang }) }, headers)

async function attach(owner: Person, description: string): Promise<string> {
  const [made] = await sql(
    owner.server,
    `insert into media_attachments (account_id, type, processing, description) values ($1, 'image', 'done', $2) returning id::text`,
    [owner.id, description],
  )
  return String(made?.['id'])
}

const EMPTY_POLL = { expires_in: 3600, options: ['red :cat:', 'blue & green'] }

test('a whole status is translated in one request, and markup is preserved', async t => {
  const { backend, alice, bob } = await open(t, 'deepl')
  const media = await attach(alice, 'a cat\nasleep')
  const bare = await attach(alice, '')
  const status = await alice.postStatus(`hello @${bob.username} and :blob: see https://example.com/cats #cats`, {
    spoiler_text: 'soft <things>',
    media_ids: [media, bare],
    poll: EMPTY_POLL,
    language: 'en',
  })
  const { status: code, json, headers } = await translate(bob, status.id)
  assert.equal(code, 200, JSON.stringify(json))
  assert.deepEqual(violationsOf(json, 'Translation'), [])
  assert.equal(headers.get('cache-control'), 'private, no-store')
  const { content, poll, ...rest } = json as { content: string; poll: { id: string; options: unknown[] } }
  const original = String(status['content'])
  const links = (html: string): string[] => html.match(/<a .*?<\/a>/g) ?? []
  assert.deepEqual(links(content), links(original))
  assert.equal(links(content).length, 3)
  assert.match(content, /^<p>HELLO .* AND :blob: SEE .*<\/p>$/)
  assert.deepEqual(poll, {
    id: (status['poll'] as { id: string }).id,
    options: [{ title: 'RED :cat:' }, { title: 'BLUE & GREEN' }],
  })
  assert.deepEqual(rest, {
    spoiler_text: 'SOFT <THINGS>',
    language: 'de',
    detected_source_language: 'en',
    provider: 'DeepL.com',
    media_attachments: [
      { id: media, description: 'A CAT\nASLEEP' },
      { id: bare, description: '' },
    ],
  })
  assert.deepEqual(
    backend.asked.map(one => [one.texts.length, one.source, one.target]),
    [[5, 'EN', 'DE']],
  )
})

test('the same text is requested once a day, an edited one again', async t => {
  const { server, backend, alice, bob } = await open(t, 'deepl')
  const one = await alice.postStatus('the same words', { language: 'en' })
  const two = await bob.postStatus('the same words', { language: 'en' })
  const answers = await Promise.all([translate(bob, one.id), translate(alice, one.id)])
  assert.deepEqual(
    answers.map(response => response.status),
    [200, 200],
  )
  assert.deepEqual((await translate(alice, two.id)).json, answers[0]?.json)
  // Concurrent requests may reach different processes.
  assert.ok(backend.asked.length <= PROCESSES)
  backend.asked.splice(1)
  await translate(bob, one.id, 'pt-BR')
  assert.equal(backend.asked.length, 2)
  await alice.put(`/api/v1/statuses/${one.id}`, { status: 'other words' })
  const edited = await translate(bob, one.id)
  assert.match(JSON.stringify(edited.json), /OTHER WORDS/)
  assert.equal(backend.asked.length, 3)
  await sql(server, `update translations set created_at = now() - interval '25 hours'`)
  await translate(bob, one.id)
  assert.equal(backend.asked.length, 4)
})

test('the target is the given one, else the reader’s locale, else their browser’s, else English', async t => {
  const { server, alice, bob } = await open(t, 'deepl')
  const german = await alice.postStatus('guten Tag', { language: 'de' })
  const english = await alice.postStatus('good day', { language: 'en' })
  const languageOf = async (...given: Parameters<typeof translate>): Promise<unknown> => {
    const { json } = await translate(...given)
    return (json as { language?: string }).language
  }
  assert.equal(await languageOf(bob, german.id, ''), 'en')
  assert.equal(await languageOf(bob, english.id, '', { 'accept-language': 'pt-BR,de;q=0.5' }), 'pt-BR')
  assert.equal(await languageOf(bob, english.id, '', { 'accept-language': 'de;q=0.5,*;q=0.1,pt-BR' }), 'pt-BR')
  assert.equal(await languageOf(bob, english.id, 'de-CH'), 'de')
  const carla = await person(server, 'carla', { user: { locale: 'de' } })
  assert.equal(await languageOf(carla, english.id, '', { 'accept-language': 'pt-BR' }), 'de')
})

test('an unknown language of a status is detected', async t => {
  const { server, backend, alice, bob } = await open(t, 'deepl')
  const status = await alice.postStatus('was ist das')
  await sql(server, 'update statuses set language = null where id = $1', [status.id])
  const { json } = await translate(bob, status.id, 'pt')
  assert.equal((json as { detected_source_language: string }).detected_source_language, 'de')
  assert.equal(backend.asked[0]?.source, undefined)
})

test('hidden and untranslatable statuses are refused as documented', async t => {
  const { backend, alice, bob, server } = await open(t, 'deepl')
  await bob.follow(alice)
  const postStatus = (visibility: string, language = 'en') => alice.postStatus('secret', { visibility, language })
  const cases = [
    [(await postStatus('unlisted')).id, bob, 'de', 200, undefined],
    [(await postStatus('private')).id, bob, 'de', 403, 'This action is not allowed'],
    [(await postStatus('private')).id, await person(server, 'carla'), 'de', 404, 'Not Found'],
    [(await postStatus('direct')).id, alice, 'de', 403, 'This action is not allowed'],
    [(await postStatus('public')).id, bob, 'en', 403, 'This action is not allowed'],
    [(await postStatus('public')).id, bob, 'tlh', 403, 'This action is not allowed'],
    [(await postStatus('public', 'eo')).id, bob, 'de', 403, 'This action is not allowed'],
    ['1', bob, 'de', 404, 'Not Found'],
  ] as const
  for (const [id, reader, lang, wanted, message] of cases) {
    const { status, json } = await translate(reader, id, lang)
    assert.deepEqual([status, (json as { error?: string }).error], [wanted, message])
  }
  assert.equal(backend.asked.length, 1)
  const status = await postStatus('public')
  const { json: boost } = await bob.post(`/api/v1/statuses/${status.id}/reblog`)
  assert.equal((await translate(alice, (boost as { id: string }).id)).status, 200)
  const empty = await alice.postStatus('', { media_ids: [await attach(alice, '')], language: 'en' })
  const { json } = await translate(bob, empty.id)
  assert.deepEqual([(json as { content: string }).content, (json as { language: string }).language], ['', 'de'])
})

const OUT = 'Service Unavailable'
const QUOTA = 'The server-wide usage quota for the translation service has been exceeded.'
const BUSY = 'There have been too many requests to the translation service recently.'

const faults: Record<'deepl' | 'libretranslate', [Fault, string][]> = {
  deepl: [
    [429, BUSY],
    [456, QUOTA],
    [403, OUT],
    [500, OUT],
    ['<html>', OUT],
    ['{"translations":[]}', OUT],
    ['{"translations":[{"text":1,"detected_source_language":"EN"}]}', OUT],
    ['null', OUT],
  ],
  libretranslate: [
    [429, BUSY],
    [403, QUOTA],
    [400, OUT],
    [500, OUT],
    ['nonsense', OUT],
    ['{"translatedText":"one text"}', OUT],
    ['{"translatedText":[]}', OUT],
    ['[]', OUT],
  ],
}

for (const kind of ['deepl', 'libretranslate'] as const) {
  test(`${kind}: a refusal is a 503 that says why, and nothing is stored`, async t => {
    const { backend, alice, bob } = await open(t, kind)
    const status = await alice.postStatus('good day', { language: 'en' })
    for (const fault of [500, '[]']) {
      backend.faults.push(fault)
      if (kind === 'deepl') backend.faults.push(fault)
      const early = await translate(bob, status.id)
      assert.deepEqual([early.status, early.json], [503, { error: OUT }], `languages: ${fault}`)
    }
    await requestFromEach(() => bob.get('/api/v1/instance/translation_languages'))
    for (const [fault, message] of faults[kind]) {
      backend.faults.push(fault)
      const { status: code, json } = await translate(bob, status.id)
      assert.deepEqual([code, json], [503, { error: message }], String(fault))
    }
    assert.equal((await translate(bob, status.id)).status, 200)
  })
}

test('LibreTranslate has its own protocol and alters protected elements', async t => {
  const { server, backend, alice, bob } = await open(t, 'libretranslate')
  const status = await alice.postStatus(`hello @${bob.username} :blob:`, { language: 'en', spoiler_text: 'mild' })
  const { json } = await translate(bob, status.id, 'zh-CN')
  const { content, ...rest } = json as { content: string }
  assert.match(content, new RegExp(`HELLO .*@<span>${bob.username}</span></a></span> :blob:`))
  assert.deepEqual(rest, {
    spoiler_text: 'MILD',
    language: 'zh-Hans',
    detected_source_language: 'en',
    provider: 'LibreTranslate',
    poll: null,
    media_attachments: [],
  })
  await sql(server, 'update statuses set language = null where id = $1', [status.id])
  const { json: found } = await translate(bob, status.id)
  assert.equal((found as { detected_source_language: string }).detected_source_language, 'en')
  assert.deepEqual(
    backend.asked.map(one => [one.source, one.target]),
    [
      ['en', 'zh-Hans'],
      ['auto', 'de'],
    ],
  )
})

test('posts in Norwegian are translated by a backend that has Bokmål, and the list of languages says so', async t => {
  const { backend, alice, bob, server } = await open(t, 'libretranslate')
  const { id } = await alice.postStatus('god dag', { language: 'no' })
  assert.equal((await translate(bob, id)).status, 200)
  assert.deepEqual([backend.asked[0]?.source, backend.asked[0]?.target], ['nb', 'de'])
  const { json } = await new Client(server).get('/api/v1/instance/translation_languages')
  const languages = json as Record<string, string[]>
  assert.deepEqual(
    [languages['no'], languages['de']],
    [
      ['de', 'en', 'zh-Hans'],
      ['en', 'nb', 'no', 'zh-Hans'],
    ],
  )
})

test('the instance lists the language pairs, which each process requests once from the backend', async t => {
  const { server, backend } = await open(t, 'deepl')
  const anonymous = new Client(server)
  for (let again = 0; again < 2; again++) {
    const { json, headers } = await requestFromEach(() => anonymous.get('/api/v1/instance/translation_languages'))
    assert.deepEqual(json, {
      und: ['de', 'en', 'en-GB', 'en-US', 'pt', 'pt-BR', 'pt-PT', 'zh-Hans'],
      de: ['en', 'en-GB', 'en-US', 'pt', 'pt-BR', 'pt-PT', 'zh-Hans'],
      en: ['de', 'pt', 'pt-BR', 'pt-PT', 'zh-Hans'],
      pt: ['de', 'en', 'en-GB', 'en-US', 'zh-Hans'],
      zh: ['de', 'en', 'en-GB', 'en-US', 'pt', 'pt-BR', 'pt-PT'],
      'zh-YUE': ['de', 'en', 'en-GB', 'en-US', 'pt', 'pt-BR', 'pt-PT'],
    })
    assert.match(headers.get('cache-control') ?? '', /public/)
  }
  // Sources and targets are two requests.
  assert.equal(backend.languagesAsked, 2 * PROCESSES)
  const { json } = await anonymous.get('/api/v2/instance')
  assert.equal(
    (json as { configuration: { translation: { enabled: boolean } } }).configuration.translation.enabled,
    true,
  )
})

test('without a backend nothing is translated', async t => {
  const { alice, bob, anonymous } = await people(t, 'alice', 'bob')
  const status = await alice.postStatus('good day', { language: 'en' })
  const { status: code, json } = await translate(bob, status.id)
  assert.deepEqual([code, json], [404, { error: 'Not Found' }])
  assert.deepEqual((await anonymous.get('/api/v1/instance/translation_languages')).json, {})
  const { json: instance } = await anonymous.get('/api/v2/instance')
  assert.match(JSON.stringify(instance), /"translation":\{"enabled":false\}/)
})
