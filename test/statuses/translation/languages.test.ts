import assert from 'node:assert/strict'
import { test } from 'tap'
import { findPair, pairEach, withOtherNames } from '../../../src/statuses/translation/languages.ts'

const pairs = pairEach([
  ['en', ['en-GB', 'de', 'pt-BR', 'zh-Hans']],
  ['pt', ['pt-BR', 'de', 'en']],
  ['zh', ['en']],
])

const cases: [source: string | null, target: string, wanted: { source: string | null; target: string } | undefined][] =
  [
    ['en', 'de', { source: 'en', target: 'de' }],
    ['en', 'de-AT', { source: 'en', target: 'de' }],
    ['en', 'de_AT', { source: 'en', target: 'de' }],
    ['en', 'PT-br', { source: 'en', target: 'pt-BR' }],
    ['en', 'zh-CN', { source: 'en', target: 'zh-Hans' }],
    ['en', 'zh-TW', undefined],
    ['en-US', 'de', { source: 'en', target: 'de' }],
    ['zh-TW', 'en', { source: 'zh', target: 'en' }],
    [null, 'de', { source: null, target: 'de' }],
    ['en', 'en', undefined],
    ['en', 'en-GB', undefined],
    ['pt', 'pt-BR', undefined],
    ['fr', 'de', undefined],
    ['en', 'tlh', undefined],
    ['en', 'no such thing!', undefined],
    ['en', '', undefined],
  ]

test('the closest pair of a backend is found', async () => {
  for (const [source, target, wanted] of cases) {
    assert.deepEqual(findPair(pairs, source, target), wanted, `${String(source)} to ${target}`)
  }
})

test('from an unknown language to all targets', async () => {
  assert.deepEqual(pairs.get('und'), ['de', 'en', 'en-GB', 'pt-BR', 'zh-Hans'])
})

test('Norwegian, Cantonese and Tagalog have other names at backends', async () => {
  const other = pairEach([
    ['en', ['nb', 'zh-Hans', 'zh-Hant', 'fil']],
    ['nb', ['en']],
    ['zh', ['en']],
  ])
  for (const [source, target, wanted] of [
    ['no', 'en', { source: 'nb', target: 'en' }],
    ['en', 'no', { source: 'en', target: 'nb' }],
    ['nb', 'en', { source: 'nb', target: 'en' }],
    ['zh-YUE', 'en', { source: 'zh', target: 'en' }],
    ['en', 'zh-YUE', { source: 'en', target: 'zh-Hant' }],
    ['en', 'tl', { source: 'en', target: 'fil' }],
    ['en', 'nn', undefined],
  ] as const)
    assert.deepEqual(findPair(other, source, target), wanted, `${source} to ${target}`)
  assert.deepEqual(Object.fromEntries(withOtherNames(other)), {
    und: ['en', 'fil', 'nb', 'no', 'tl', 'zh-Hans', 'zh-Hant', 'zh-YUE'],
    en: ['fil', 'nb', 'no', 'tl', 'zh-Hans', 'zh-Hant', 'zh-YUE'],
    nb: ['en'],
    no: ['en'],
    zh: ['en'],
    'zh-YUE': ['en'],
  })
})
