import { createHash } from 'node:crypto'
import { c, query } from '../../platform/database/index.ts'
import { ApiError } from '../../core/errors.ts'
import { perServer, type Services } from '../../platform/services.ts'
import { answeredBadly, type LanguagePairs, type Translated, type TranslationBackend } from './backend.ts'
import { createDeepl } from './deepl.ts'
import type { ProtectedText } from './protect_markup.ts'
import { findPair, withOtherNames } from './languages.ts'
import { createLibreTranslate } from './libretranslate.ts'

const find = query(
  'statuses/translation/find',
  { digest: c.bytes, after: c.timestamp },
  { texts: c.texts, source: c.nullable(c.text) },
)
const saveTranslation = query(
  'statuses/translation/save',
  { digest: c.bytes, texts: c.texts, source: c.nullable(c.text) },
  {},
)

export const REMEMBERED_MS = 24 * 60 * 60 * 1000
const PAIRS_KEPT_MS = 7 * 24 * 60 * 60 * 1000

/** A text to translate: HTML that was formatted or sanitised here, or plain. */
export interface Original {
  readonly kind: 'html' | 'plain'
  readonly text: string
}

export interface Translation extends Translated {
  readonly target: string
  readonly provider: string
}

function createBackend({ config, outgoing }: Services): TranslationBackend | undefined {
  const { translationBackend, translationUrl: url, translationApiKey: key } = config
  if (translationBackend === 'deepl' && key !== undefined) return createDeepl(outgoing, key, url)
  if (translationBackend === 'libretranslate' && url !== undefined) return createLibreTranslate(outgoing, url, key)
  return undefined
}

interface Translator {
  readonly backend: TranslationBackend
  pairs: { readonly known: Promise<LanguagePairs>; readonly until: number } | undefined
  /** Requests in progress, by key: concurrent callers share one. */
  readonly running: Map<string, Promise<Translated>>
}

const translatorOf = perServer((services): Translator | undefined => {
  const backend = createBackend(services)
  return backend && { backend, pairs: undefined, running: new Map() }
})

/** Loads the sanitiser, 2 MB, only on servers that translate. */
const loadProtection = () => import('./protect_markup.ts')

/** Whether a backend is configured. */
export const canTranslate = ({ config }: Pick<Services, 'config'>): boolean => config.translationBackend !== undefined

/**
 * A service that is just starting lists no languages.
 * @throws ApiError `unavailable` for that too
 */
async function askLanguages(backend: TranslationBackend): Promise<LanguagePairs> {
  const pairs = await backend.languages()
  if ([...pairs.values()].every(targets => targets.length === 0))
    throw answeredBadly(new Error('the response has no languages'))
  return pairs
}

/**
 * The backend's language pairs, requested once a week.
 * @throws ApiError `unavailable` when it does not list them
 */
async function pairsOf(translatorFor: Translator): Promise<LanguagePairs> {
  if (!translatorFor.pairs || translatorFor.pairs.until < performance.now()) {
    const known = askLanguages(translatorFor.backend)
    const pairs = { known, until: performance.now() + PAIRS_KEPT_MS }
    translatorFor.pairs = pairs
    known.catch(() => {
      if (translatorFor.pairs === pairs) translatorFor.pairs = undefined
    })
  }
  return translatorFor.pairs.known
}

/**
 * Targets by source; empty when no backend is configured.
 * @throws ApiError `unavailable` when it does not list them
 */
export async function translationLanguages(services: Services): Promise<LanguagePairs> {
  const translatorFor = translatorOf(services)
  return translatorFor ? withOtherNames(await pairsOf(translatorFor)) : new Map()
}

interface Pair {
  readonly source: string | null
  readonly target: string
}

/**
 * Shares requests in progress and uses stored translations.
 * @throws ApiError `unavailable` when the backend fails
 */
function requestTranslation(
  services: Services,
  translatorFor: Translator,
  protectedTexts: readonly ProtectedText[],
  { source, target }: Pair,
): Promise<Translated> {
  const { backend, running } = translatorFor
  const texts = protectedTexts.map(one => one.html)
  const digest = createHash('sha256')
    .update(JSON.stringify([backend.provider, source, target, texts]))
    .digest()
  const key = digest.toString('hex')

  async function findOrAsk(): Promise<Translated> {
    const known = await services.database.one(find, { digest, after: new Date(Date.now() - REMEMBERED_MS) })
    if (known) return known
    const translated = await backend.translate(texts, source, target)
    await services.database.run(saveTranslation, { digest, texts: [...translated.texts], source: translated.source })
    return translated
  }

  async function run(): Promise<Translated> {
    try {
      return await findOrAsk()
    } catch (error) {
      const cause = error instanceof Error ? error.cause : undefined
      services.logger.warn({ err: error, cause }, 'translation failed')
      throw error
    } finally {
      running.delete(key)
    }
  }

  // Concurrent callers also share the look-up: one that began before the response was stored would
  // miss it and send a second request.
  const request = running.get(key) ?? run()
  running.set(key, request)
  return request
}

/**
 * Translates texts; markup, mentions, URLs, hashtags, shortcodes and blank texts are preserved.
 * Recent translations come from the store.
 * @param source null when it is unknown
 * @throws ApiError `routeNotFound` without a backend, `notAllowed` when it has no such pair,
 * `unavailable` when it fails
 */
export async function translate(
  services: Services,
  originals: readonly Original[],
  source: string | null,
  target: string,
): Promise<Translation> {
  const translatorFor = translatorOf(services)
  if (!translatorFor) throw new ApiError('routeNotFound')
  const pair = findPair(await pairsOf(translatorFor), source, target)
  if (!pair) throw new ApiError('notAllowed')
  const written = originals.filter(({ text }) => text.trim() !== '')
  const { protectHtml, protectText } = await loadProtection()
  const protectedTexts = written.map(({ kind, text }) => (kind === 'html' ? protectHtml(text) : protectText(text)))
  const translated =
    protectedTexts.length > 0
      ? await requestTranslation(services, translatorFor, protectedTexts, pair)
      : { texts: [], source: pair.source }
  const restored = new Map(
    written.map((one, index) => [one, protectedTexts[index]?.restore(translated.texts[index] ?? '')]),
  )
  return {
    texts: originals.map(one => restored.get(one) ?? one.text),
    source: translated.source,
    target: pair.target,
    provider: translatorFor.backend.provider,
  }
}
