import assert from 'node:assert/strict'
import { test } from 'tap'
import german from '../../../src/platform/i18n/de.json' with { type: 'json' }
import english from '../../../src/platform/i18n/en.json' with { type: 'json' }
import french from '../../../src/platform/i18n/fr.json' with { type: 'json' }
import { chooseLanguage, translator } from '../../../src/platform/i18n/index.ts'

const placesOf = (text: string): string[] => [...new Set(text.match(/\{\w+\}/g))].sort()

test('every translation has the texts of the English one, with the same places for values', async () => {
  for (const [language, texts] of Object.entries({ german, french })) {
    assert.deepEqual(Object.keys(texts).sort(), Object.keys(english).sort(), language)
    const translated: Readonly<Record<string, string>> = texts
    for (const [key, text] of Object.entries(english)) {
      assert.deepEqual(placesOf(translated[key] ?? ''), placesOf(text), `${language} ${key}`)
    }
  }
})

test('the first language that there are texts in is chosen', async () => {
  assert.equal(chooseLanguage('tlh, de-AT;q=0.8, en;q=0.5'), 'de')
  assert.equal(chooseLanguage(null, 'fr-CA'), 'fr')
  assert.equal(chooseLanguage('fr', 'de'), 'fr')
  assert.equal(chooseLanguage('ja', undefined, ''), 'en')
})

test('counted things take the form that their number asks for', async () => {
  const counted = (language: 'en' | 'de' | 'fr', count: number | string) =>
    translator(language).t('status.votes', { count })
  assert.deepEqual(
    [0, 1, 2, '1,234'].map(count => counted('en', count)),
    ['0 votes', '1 vote', '2 votes', '1,234 votes'],
  )
  assert.deepEqual([counted('de', 1), counted('de', 2)], ['1 Stimme', '2 Stimmen'])
  assert.deepEqual([counted('fr', 0), counted('fr', 1), counted('fr', 2)], ['0 vote', '1 vote', '2 votes'])
})

test('every text of every language is valid in ICU syntax', async () => {
  for (const language of ['en', 'de', 'fr'] as const) {
    const { t: say, has } = translator(language)
    for (const key of Object.keys(english)) assert.ok(has(key) && say(key) !== '', `${language} ${key}`)
  }
})

test('values take their places, and nothing else does', async () => {
  assert.equal(translator('de').t('start.welcome_name', { name: '{domain}' }), 'Willkommen, @{domain}')
  assert.equal(translator('en').t('start.welcome_name'), 'Welcome, @{name}')
})
