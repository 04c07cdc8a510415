import assert from 'node:assert/strict'
import { test } from 'tap'
import { ApiError } from '../../../src/core/errors.ts'
import {
  openOutgoing,
  type Outgoing,
  type OutgoingResponse,
  type OutgoingRequest,
} from '../../../src/platform/http_client/index.ts'
import { createDeepl } from '../../../src/statuses/translation/deepl.ts'
import { DEEPL_KEY, serveDeepl } from './backends.ts'

const answerOf = (body: unknown): OutgoingResponse => ({
  status: 200,
  headers: {},
  body: Buffer.from(JSON.stringify(body)),
  complete: true,
})

/** Responds itself, and records the requests. */
function recorder(response: (body: Record<string, unknown>) => unknown) {
  const asked: { url: string; wanted: OutgoingRequest }[] = []
  const outgoing: Outgoing = {
    async request(url, wanted) {
      asked.push({ url, wanted })
      return answerOf(response(JSON.parse(String(wanted.body ?? '{}')) as Record<string, unknown>))
    },
    close: async () => undefined,
  }
  return { asked, outgoing }
}

test('the key determines the plan, and with it the address', async () => {
  for (const [key, host] of [
    [DEEPL_KEY, 'api-free.deepl.com'],
    [DEEPL_KEY.replace(':fx', ''), 'api.deepl.com'],
  ] as const) {
    const { asked, outgoing } = recorder(() => [])
    await createDeepl(outgoing, key, undefined).languages()
    assert.deepEqual(
      asked.map(one => [one.url, one.wanted.headers?.['authorization']]),
      ['source', 'target'].map(type => [`https://${host}/v2/languages?type=${type}`, `DeepL-Auth-Key ${key}`]),
    )
  }
})

test('large requests are split, and the results are returned in order', async () => {
  const { asked, outgoing } = recorder(({ text }) => ({
    translations: (text as string[]).map(one => ({ detected_source_language: 'EN', text: `${one.slice(0, 3)}!` })),
  }))
  const texts = Array.from({ length: 60 }, (_, index) => `${String(index).padStart(3, '0')}${'字'.repeat(2000)}`)
  const { texts: made } = await createDeepl(outgoing, DEEPL_KEY, undefined).translate(texts, null, 'de')
  assert.deepEqual(
    made,
    texts.map(text => `${text.slice(0, 3)}!`),
  )
  assert.equal(asked.length, 4)
  for (const { wanted } of asked) assert.ok(Buffer.byteLength(String(wanted.body)) < 128 * 1024)
})

test('a backend that does not respond in time counts as failed', async t => {
  const backend = await serveDeepl(t)
  backend.faults.push(null)
  const outgoing = openOutgoing({ allowPrivateAddresses: false, publicUrl: 'https://social.example' })
  t.after(() => outgoing.close())
  const hasty: Outgoing = {
    ...outgoing,
    request: (url, wanted) => outgoing.request(url, { ...wanted, timeoutMs: 100 }),
  }
  await assert.rejects(
    createDeepl(hasty, DEEPL_KEY, backend.url).translate(['hello'], 'en', 'de'),
    (error: unknown) => error instanceof ApiError && error.status === 503 && error.message === 'Service Unavailable',
  )
})
