import { createHash } from 'node:crypto'
import { c, query } from '../../platform/database/index.ts'
import { ApiError } from '../../core/errors.ts'
import { perServer, type Services } from '../../platform/services.ts'
import { answeredBadly, type LanguagePairs, type Translated, type TranslationBackend } from './backend.ts'
import { createDeepl } from './deepl.ts'
import type { Kept } from './protect_markup.ts'
import { findPair } from './languages.ts'
import { createLibreTranslate } from './libretranslate.ts'

const find = query(
  'statuses/translation/find',
  { digest: c.bytes, after: c.timestamp },
  { texts: c.texts, source: c.nullable(c.text) },
)
const remember = query(
  'statuses/translation/remember',
  { digest: c.bytes, texts: c.texts, source: c.nullable(c.text) },
  {},
)

export const REMEMBERED_MS = 24 * 60 * 60 * 1000
const PAIRS_KEPT_MS = 7 * 24 * 60 * 60 * 1000

/** A text to be translated: HTML that was formatted or sanitised here, or plain. */
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
  /** What is asked for just now, by its key: a text that many want is asked for once. */
  readonly running: Map<string, Promise<Translated>>
}

const translatorOf = perServer((services): Translator | undefined => {
  const backend = createBackend(services)
  return backend && { backend, pairs: undefined, running: new Map() }
})

/** With the sanitiser, 2 MB, which servers that translate nothing need not load. */
const loadKeeping = () => import('./protect_markup.ts')

/** Whether a backend is configured. */
export const canTranslate = ({ config }: Pick<Services, 'config'>): boolean => config.translationBackend !== undefined

/** A service that is just starting answers that it has none. @throws ApiError `unavailable` for that too */
async function askLanguages(backend: TranslationBackend): Promise<LanguagePairs> {
  const pairs = await backend.languages()
  if ([...pairs.values()].every(targets => targets.length === 0)) throw answeredBadly(new Error('no languages'))
  return pairs
}

/** What the backend translates between, asked for once a week. @throws ApiError `unavailable` when it does not say */
async function pairsOf(translator: Translator): Promise<LanguagePairs> {
  if (!translator.pairs || translator.pairs.until < Date.now()) {
    const known = askLanguages(translator.backend)
    const pairs = { known, until: Date.now() + PAIRS_KEPT_MS }
    translator.pairs = pairs
    known.catch(() => {
      if (translator.pairs === pairs) translator.pairs = undefined
    })
  }
  return translator.pairs.known
}

/** Targets by source; empty when no backend is configured. @throws ApiError `unavailable` when it does not say */
export async function translationLanguages(services: Services): Promise<LanguagePairs> {
  const translator = translatorOf(services)
  return translator ? pairsOf(translator) : new Map()
}

interface Pair {
  readonly source: string | null
  readonly target: string
}

/** What was translated of late, or is just being translated, is not asked for again. @throws ApiError `unavailable` when the backend does not do it */
function askOnce(
  services: Services,
  translator: Translator,
  kept: readonly Kept[],
  { source, target }: Pair,
): Promise<Translated> {
  const { backend, running } = translator
  const texts = kept.map(one => one.html)
  const digest = createHash('sha256')
    .update(JSON.stringify([backend.provider, source, target, texts]))
    .digest()
  const key = digest.toString('hex')

  async function findOrAsk(): Promise<Translated> {
    const known = await services.database.one(find, { digest, after: new Date(Date.now() - REMEMBERED_MS) })
    if (known) return known
    const translated = await backend.translate(texts, source, target)
    await services.database.run(remember, { digest, texts: [...translated.texts], source: translated.source })
    return translated
  }

  async function run(): Promise<Translated> {
    try {
      return await findOrAsk()
    } catch (error) {
      const cause = error instanceof Error ? error.cause : undefined
      services.logger.warn({ err: error, cause }, 'nothing translated')
      throw error
    } finally {
      running.delete(key)
    }
  }

  // The look-up is part of what others wait for: one that began before the answer was stored would miss it and ask again.
  const asked = running.get(key) ?? run()
  running.set(key, asked)
  return asked
}

/**
 * Texts in another language; markup, mentions, addresses, hashtags and shortcodes stay as they are, blank texts too.
 * What was translated of late comes from memory.
 * @param source null when it is not known
 * @throws ApiError `routeNotFound` without a backend, `notAllowed` when it has no such pair, `unavailable` when it does not do it
 */
export async function translate(
  services: Services,
  originals: readonly Original[],
  source: string | null,
  target: string,
): Promise<Translation> {
  const translator = translatorOf(services)
  if (!translator) throw new ApiError('routeNotFound')
  const pair = findPair(await pairsOf(translator), source, target)
  if (!pair) throw new ApiError('notAllowed')
  const written = originals.filter(({ text }) => text.trim() !== '')
  const { keepInHtml, keepInText } = await loadKeeping()
  const kept = written.map(({ kind, text }) => (kind === 'html' ? keepInHtml(text) : keepInText(text)))
  const translated =
    kept.length > 0 ? await askOnce(services, translator, kept, pair) : { texts: [], source: pair.source }
  const restored = new Map(written.map((one, index) => [one, kept[index]?.restore(translated.texts[index] ?? '')]))
  return {
    texts: originals.map(one => restored.get(one) ?? one.text),
    source: translated.source,
    target: pair.target,
    provider: translator.backend.provider,
  }
}
