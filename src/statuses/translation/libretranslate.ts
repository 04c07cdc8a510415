import type { Outgoing } from '../../platform/http_client/index.ts'
import { answeredBadly, askBackend, memberOf, textsOf, type TranslationBackend } from './backend.ts'
import { pairEach } from './languages.ts'

/** The response to a key that is unknown or whose quota is exhausted. */
const FORBIDDEN = 403

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every(one => typeof one === 'string')

/** The detected language: of one text, or of each of several, of which the first counts. */
function detectedIn(response: unknown): string | undefined {
  const detected = memberOf(response, 'detectedLanguage')
  const language = memberOf(Array.isArray(detected) ? (detected[0] as unknown) : detected, 'language')
  return typeof language === 'string' ? language : undefined
}

/** LibreTranslate, usually self-hosted. Without a key when it requires none. */
export function createLibreTranslate(outgoing: Outgoing, url: string, key: string | undefined): TranslationBackend {
  const ask = (path: string, body?: object): Promise<unknown> =>
    askBackend(outgoing, { url: `${url}${path}`, headers: {}, ...(body && { body }), quotaStatus: FORBIDDEN })
  return {
    provider: 'LibreTranslate',
    async languages() {
      const listed = await ask('/languages')
      const codes = textsOf(listed, 'code')
      const targets = (listed as unknown[]).map(one => memberOf(one, 'targets'))
      return pairEach(
        codes.map((code, index) => {
          const own = targets[index]
          if (!isTexts(own)) throw answeredBadly(new Error('the response has no targets'))
          return [code, own]
        }),
      )
    },
    async translate(texts, source, target) {
      const response = await ask('/translate', {
        q: texts,
        source: source ?? 'auto',
        target,
        format: 'html',
        ...(key !== undefined && { api_key: key }),
      })
      const translated = memberOf(response, 'translatedText')
      if (!isTexts(translated) || translated.length !== texts.length)
        throw answeredBadly(new Error('the response has another number of texts'))
      return { texts: translated, source: source ?? detectedIn(response) ?? null }
    },
  }
}
