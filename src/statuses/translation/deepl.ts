import type { Outgoing } from '../../platform/http_client/index.ts'
import { answeredBadly, askBackend, memberOf, textsOf, type Translated, type TranslationBackend } from './backend.ts'
import { languageOf, pairEach } from './languages.ts'

/** DeepL's servers; keys of its free plan end in `:fx` (its documentation, Authentication). */
const PRO_URL = 'https://api.deepl.com'
const FREE_URL = 'https://api-free.deepl.com'
const FREE_KEY = /:fx$/

const QUOTA_EXCEEDED = 456
/** DeepL accepts at most 50 texts and 128 KiB in a request; JSON takes a little of that. */
const MAX_TEXTS = 50
const MAX_TEXT_BYTES = 100 * 1024

/** Valid targets that are not listed: DeepL lists only the variants of these languages. */
const UNLISTED_TARGETS = ['en', 'pt']

/** `ZH-HANS` is `zh-Hans`, `PT-BR` is `pt-BR`. */
function readCode(code: string): string {
  const [language = '', ...parts] = code.split('-')
  const cased = parts.map(part =>
    part.length === 4 ? `${part.slice(0, 1).toUpperCase()}${part.slice(1).toLowerCase()}` : part.toUpperCase(),
  )
  return [language.toLowerCase(), ...cased].join('-')
}

/** Splits texts into requests; a status' text and descriptions in a wide script can exceed one. */
function splitIntoBatches(texts: readonly string[]): string[][] {
  const batches: string[][] = [[]]
  let sizeBytes = 0
  for (const text of texts) {
    const textBytes = Buffer.byteLength(JSON.stringify(text))
    if (sizeBytes + textBytes > MAX_TEXT_BYTES || (batches.at(-1)?.length ?? 0) >= MAX_TEXTS) {
      batches.push([])
      sizeBytes = 0
    }
    batches.at(-1)?.push(text)
    sizeBytes += textBytes
  }
  return batches.filter(batch => batch.length > 0)
}

/** DeepL, of either plan. `url` replaces DeepL's own address. */
export function createDeepl(outgoing: Outgoing, key: string, url: string | undefined): TranslationBackend {
  const base = url ?? (FREE_KEY.test(key) ? FREE_URL : PRO_URL)
  const ask = (path: string, body?: object): Promise<unknown> =>
    askBackend(outgoing, {
      url: `${base}${path}`,
      headers: { authorization: `DeepL-Auth-Key ${key}` },
      ...(body && { body }),
      quotaStatus: QUOTA_EXCEEDED,
    })
  const listed = async (type: 'source' | 'target'): Promise<string[]> =>
    textsOf(await ask(`/v2/languages?type=${type}`), 'language').map(readCode)

  async function translateBatch(texts: readonly string[], source: string | null, target: string): Promise<Translated> {
    const response = memberOf(
      await ask('/v2/translate', {
        text: texts,
        ...(source !== null && { source_lang: source.toUpperCase() }),
        target_lang: target.toUpperCase(),
        tag_handling: 'html',
      }),
      'translations',
    )
    const translated = textsOf(response, 'text')
    if (translated.length !== texts.length) throw answeredBadly(new Error('the response has another number of texts'))
    return { texts: translated, source: readCode(textsOf(response, 'detected_source_language')[0] ?? source ?? '') }
  }

  return {
    provider: 'DeepL.com',
    async languages() {
      const [sources, targets] = await Promise.all([listed('source'), listed('target')])
      const unlisted = UNLISTED_TARGETS.filter(code => targets.some(target => languageOf(target) === code))
      const all = [...new Set([...targets, ...unlisted])].sort()
      return pairEach(sources.map(source => [source, all]))
    },
    async translate(texts, source, target) {
      const done: Translated[] = []
      for (const batch of splitIntoBatches(texts)) done.push(await translateBatch(batch, source, target))
      return { texts: done.flatMap(one => one.texts), source: done[0]?.source ?? source }
    },
  }
}
