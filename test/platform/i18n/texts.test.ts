import assert from 'node:assert/strict'
import { test } from 'tap'
import german from '../../../src/platform/i18n/texts/de/index.ts'
import english from '../../../src/platform/i18n/texts/en/index.ts'
import french from '../../../src/platform/i18n/texts/fr/index.ts'
import { chooseLanguage, languageLabels, translatorFor } from '../../../src/platform/i18n/index.ts'

const placeholdersOf = (text: string): string[] => [...new Set(text.match(/\{\w+\}/g))].sort()

test('every language has the same texts with the same placeholders', async () => {
  for (const [language, texts] of Object.entries({ german, french })) {
    assert.deepEqual(Object.keys(texts).sort(), Object.keys(english).sort(), language)
    const translated: Readonly<Record<string, string>> = texts
    for (const [key, text] of Object.entries(english)) {
      assert.deepEqual(placeholdersOf(translated[key] ?? ''), placeholdersOf(text), `${language} ${key}`)
    }
  }
})

test('French texts have the same spaces and apostrophes everywhere', async () => {
  const wrong = [
    // A narrow no-break space before these, a no-break space before a colon and inside guillemets.
    /(?<![\u202f?!])[;!?](?=\s|$)/u,
    /(?<!\u00a0):(?=\s|$)/u,
    /«(?!\u00a0)|(?<!\u00a0)»/u,
    /\p{L}'\p{L}/u,
  ]
  for (const [key, text] of Object.entries(french)) {
    for (const pattern of wrong) assert.doesNotMatch(text, pattern, key)
  }
})

test('the first supported language is chosen', async () => {
  assert.equal(chooseLanguage('tlh, de-AT;q=0.8, en;q=0.5'), 'de')
  assert.equal(chooseLanguage(null, 'fr-CA'), 'fr')
  assert.equal(chooseLanguage('fr', 'de'), 'fr')
  assert.equal(chooseLanguage('ja', undefined, ''), 'en')
})

test('plural forms follow the number', async () => {
  const counted = (language: 'en' | 'de' | 'fr', count: number | string) =>
    translatorFor(language).t('status.votes', { count })
  assert.deepEqual(
    [0, 1, 2, '1,234'].map(count => counted('en', count)),
    ['0 votes', '1 vote', '2 votes', '1,234 votes'],
  )
  assert.deepEqual([counted('de', 1), counted('de', 2)], ['1 Stimme', '2 Stimmen'])
  assert.deepEqual([counted('fr', 0), counted('fr', 1), counted('fr', 2)], ['0 vote', '1 vote', '2 votes'])
})

test('every text of every language is valid in ICU syntax', async () => {
  for (const language of ['en', 'de', 'fr'] as const) {
    const { t, has } = translatorFor(language)
    for (const [key, text] of Object.entries(english)) {
      const counts = Object.fromEntries(Array.from(text.matchAll(/\{(\w+), *plural,/g), ([, name]) => [name, 1]))
      assert.ok(has(key) && t(key, counts) !== '', `${language} ${key}`)
    }
  }
})

test('only placeholders with a value are replaced, once', async () => {
  assert.equal(translatorFor('de').t('start.welcome_name', { name: '{domain}' }), 'Willkommen, @{domain}')
  assert.equal(translatorFor('en').t('start.welcome_name'), 'Welcome, @{name}')
})

test('languages have their own name and the one of the reader', async () => {
  const labelOf = (reader: 'en' | 'de' | 'fr', wanted: string): string | undefined =>
    languageLabels(reader).find(([code]) => code === wanted)?.[1]
  assert.deepEqual(
    [labelOf('en', 'it'), labelOf('de', 'it'), labelOf('fr', 'it')],
    ['Italiano (Italian)', 'Italiano (Italienisch)', 'Italiano (italien)'],
  )
  assert.equal(labelOf('de', 'de'), 'Deutsch')
  assert.match(labelOf('fr', 'zh-YUE') ?? '', /\(Cantonese\)$/)
  assert.equal(languageLabels('fr').length, languageLabels('en').length)
})
