import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'

/**
 * Test services with the protocols of DeepL and of LibreTranslate, after their documentation. They
 * translate by writing in capitals.
 */

/**
 * The response in place of a translation: a status, or an invalid body; null is none.
 */
export type Fault = number | string | null

export interface Backend {
  readonly url: string
  /** The requested texts, with the languages. */
  readonly asked: { texts: string[]; source: string | undefined; target: string }[]
  /** How often the languages were requested. */
  languagesAsked: number
  /** The next responses; undefined in between is a correct one. */
  readonly faults: (Fault | undefined)[]
}

interface Call {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: Record<string, unknown>
}

interface Answer {
  readonly status: number
  readonly body: unknown
}

/** A test, or whatever else ends. */
interface Ending {
  after(work: () => unknown): unknown
}

type Speak = (call: Call, backend: Backend) => Answer

/** Changes only text between tags; `rude` services also change protected elements. */
export function shout(html: string, rude = false): string {
  let quietDepth = 0
  return html.replace(/<(\/?)(\w+)([^>]*)>|[^<]+/g, (token, slash: string | undefined, _name, attributes?: string) => {
    if (slash === undefined)
      return quietDepth > 0 && !rude ? token : token.toUpperCase().replace(/&\w+;/g, c => c.toLowerCase())
    if (attributes?.endsWith('/')) return token
    if (slash === '/') quietDepth = Math.max(0, quietDepth - 1)
    else if (quietDepth > 0 || /translate="no"/.test(attributes ?? '')) quietDepth += 1
    return token
  })
}

async function readBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return parts.length === 0 ? {} : (JSON.parse(Buffer.concat(parts).toString()) as Record<string, unknown>)
}

async function serve(t: Ending, speak: Speak): Promise<Backend> {
  const asked: Backend['asked'] = []
  const faults: Backend['faults'] = []
  const backend: Backend = { url: '', asked, languagesAsked: 0, faults }
  const server = createServer((request, response) => {
    void (async () => {
      const call = {
        method: request.method ?? '',
        path: request.url ?? '',
        headers: request.headers,
        body: await readBody(request),
      }
      const fault = faults.shift()
      if (fault === null) return
      const { status, body } = fault === undefined ? speak(call, backend) : { status: 200, body: {} }
      if (typeof fault === 'number') response.writeHead(fault).end('{"error":"no"}')
      else if (fault !== undefined) response.writeHead(200).end(fault)
      else response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
    })()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return Object.assign(backend, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
}

export const DEEPL_KEY = '279a2e9d-83b3-c416-7e2d-f721593e42a0:fx'

const DEEPL_LANGUAGES: Record<string, readonly string[]> = {
  source: ['DE', 'EN', 'PT', 'ZH'],
  target: ['DE', 'EN-GB', 'EN-US', 'PT-BR', 'PT-PT', 'ZH-HANS'],
}

const word = (value: unknown): string => (typeof value === 'string' ? value : '')

/**
 * DeepL, of either plan: the plans differ in their address. It detects every text without a
 * language as German.
 */
export const serveDeepl = (t: Test): Promise<Backend> =>
  serve(t, ({ method, path, headers, body }, backend) => {
    if (headers.authorization !== `DeepL-Auth-Key ${DEEPL_KEY}`) return { status: 403, body: { message: 'no key' } }
    const listed = /^\/v2\/languages\?type=(source|target)$/.exec(path)?.[1]
    if (method === 'GET' && listed !== undefined) {
      backend.languagesAsked += 1
      return { status: 200, body: DEEPL_LANGUAGES[listed]?.map(language => ({ language, name: language })) }
    }
    const { text, source_lang: source, target_lang: target, tag_handling: handling } = body
    const isRight =
      method === 'POST' && path === '/v2/translate' && Array.isArray(text) && text.length <= 50 && handling === 'html'
    if (!isRight || Buffer.byteLength(JSON.stringify(body)) > 128 * 1024) return { status: 400, body: {} }
    const taken = [...(DEEPL_LANGUAGES['target'] ?? []), 'EN', 'PT']
    if (!taken.includes(word(target))) return { status: 400, body: { message: 'target_lang' } }
    if (source !== undefined && !DEEPL_LANGUAGES['source']?.includes(word(source))) return { status: 400, body: {} }
    const texts = text.map(String)
    backend.asked.push({ texts, source: source === undefined ? undefined : word(source), target: word(target) })
    return {
      status: 200,
      body: {
        translations: texts.map(one => ({ detected_source_language: source ?? 'DE', text: shout(one) })),
      },
    }
  })

export const LIBRE_KEY = '00000000-libre'

/**
 * LibreTranslate. It detects every text without a language as English, and also changes protected
 * elements.
 */
export const serveLibreTranslate = (t: Ending): Promise<Backend> =>
  serve(t, ({ method, path, headers, body }, backend) => {
    if (method === 'GET' && path === '/languages') {
      backend.languagesAsked += 1
      const codes = ['de', 'en', 'nb', 'zh-Hans']
      return { status: 200, body: codes.map(code => ({ code, name: code, targets: codes })) }
    }
    const { q, source, target, format, api_key: key } = body
    if (key !== LIBRE_KEY) return { status: 403, body: { error: 'Invalid API key' } }
    const isRight =
      method === 'POST' &&
      path === '/translate' &&
      headers['content-type'] === 'application/json' &&
      Array.isArray(q) &&
      format === 'html'
    if (!isRight) return { status: 400, body: { error: 'Invalid request' } }
    const texts = q.map(String)
    backend.asked.push({ texts, source: word(source), target: word(target) })
    const detected = source === 'auto' && { detectedLanguage: texts.map(() => ({ confidence: 90, language: 'en' })) }
    return { status: 200, body: { translatedText: texts.map(one => shout(one, true)), ...detected } }
  })
