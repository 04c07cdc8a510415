import assert from 'node:assert/strict'
import { test } from 'tap'

import { displayTag, isValidTag, normaliseTag, shortcodesIn } from '../../../src/core/text/index.ts'

const identities: [name: string, identity: string][] = [
  ['tea', 'tea'],
  ['TeaTime_2', 'teatime_2'],
  ['Café', 'cafe'],
  ['Cafe\u0301', 'cafe'],
  ['ＴＥＡ', 'tea'],
  ['Łódź', 'lodz'],
  ['Straße', 'straße'],
  ['Việt', 'viet'],
  ['İstanbul', 'istanbul'],
  ['Ørsted', 'orsted'],
  ['Чай', 'чай'],
  ['ﾊﾞﾅﾅ', 'バナナ'],
  ['お茶', 'お茶'],
  ['a·b', 'a·b'],
  ['ラーメン・ライス', 'ラーメン・ライス'],
  ['ไม่', 'ไม่'],
  ['tea time!', 'teatime'],
  ['#tea', 'tea'],
  ['!?', ''],
]

test('two spellings of a hashtag have one identity', async () => {
  for (const [name, identity] of identities) {
    assert.equal(normaliseTag(name), identity, name)
    assert.equal(normaliseTag(identity), identity, `${name} twice`)
  }
})

test('a name that is longer than a hashtag can be has no identity', async () => {
  assert.equal(normaliseTag('𠀀'.repeat(500)), '𠀀'.repeat(500))
  assert.equal(normaliseTag('a'.repeat(500)), 'a'.repeat(500))
  for (const name of ['a'.repeat(501), '𠀀'.repeat(501), `tea${'!'.repeat(498)}`, '\ufdfa'.repeat(300_000)])
    assert.equal(normaliseTag(name), '')
})

test('the display name keeps the spelling', async () => {
  assert.equal(displayTag('Café'), 'Café')
  assert.equal(displayTag('#TeaTime'), 'TeaTime')
  assert.equal(displayTag('हिन्दी'), 'हिन्दी')
})

test('a name is valid when all of it could be a hashtag in a text', async () => {
  for (const name of ['tea', '1a', '1_2', 'お茶', 'a・b', 'हिन्दी', '_a']) assert.ok(isValidTag(name), name)
  for (const name of ['', '1', '2024', '_', '·', '·a', 'a·', 'a b', 'a-b', '#a', 'a\n'])
    assert.ok(!isValidTag(name), name)
})

const shortcodes: [text: string, ...expected: string[]][] = [
  ['no emoji'],
  [':blob:', 'blob'],
  ['a :blob: :cat_2: :blob:', 'blob', 'cat_2'],
  [':a: :: :a-b:'],
  ['x:blob: :blob:x 1:blob: é:blob:'],
  [':aa::bb:'],
  [':aa:bb:'],
  ['(:aa:):bb:', 'aa', 'bb'],
  ['\u200b:aa:\u200b:bb:', 'aa', 'bb'],
  ['12:30:45'],
  [':Blob: :blob:', 'Blob', 'blob'],
]

test('shortcodes are found where they stand apart', async () => {
  for (const [text, ...expected] of shortcodes) assert.deepEqual(shortcodesIn(text), expected, text)
})
