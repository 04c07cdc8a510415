import assert from 'node:assert/strict'
import { test } from 'tap'

import { recognise, verifiableUrl } from '../../../src/core/text/index.ts'

/** The entities of a kind, cut from the text by their indexes. */
function spansOf(kind: 'url' | 'mention' | 'hashtag', text: string): string[] {
  return recognise(text)
    .filter(entity => entity.kind === kind)
    .map(entity => text.slice(entity.start, entity.end))
}

const urls: [text: string, ...expected: string[]][] = [
  ['see https://example.com', 'https://example.com'],
  ['HTTPS://Example.COM/Path', 'HTTPS://Example.COM/Path'],
  ['example.com and www.example.com have no scheme'],
  ['ftp://example.com mailto:a@example.com'],
  ['https://example.com:8080/a?b=c', 'https://example.com:8080/a?b=c'],
  ['https://example.com?q=1', 'https://example.com?q=1'],
  ['https://localhost/x https://192.168.0.1/x https://host.invalid/'],
  ['https://com/ https://.com'],
  ['https://a_b.example.com/x', 'https://a_b.example.com/x'],
  [
    'gemini://example.org/ ipfs://example.org/x dat://example.org',
    'gemini://example.org/',
    'ipfs://example.org/x',
    'dat://example.org',
  ],
  [
    'ipns://example.org dweb://example.org ssb://example.org gopher://example.org',
    'ipns://example.org',
    'dweb://example.org',
    'ssb://example.org',
    'gopher://example.org',
  ],
  // not directly after a letter, digit or one of @ ＠ $ # ＃
  ['xhttps://example.com 1https://example.com @https://example.com ＠https://example.com'],
  ['$https://example.com #https://example.com ＃https://example.com'],
  ['日本語https://example.com/x', 'https://example.com/x'],
  ['(https://example.com)', 'https://example.com'],
  ['"https://example.com/"', 'https://example.com/'],
  // host
  ['https://例え.みんな/道', 'https://例え.みんな/道'],
  ['https://xn--r8jz45g.xn--zckzah/', 'https://xn--r8jz45g.xn--zckzah/'],
  ['https://правительство.рф/новости', 'https://правительство.рф/новости'],
  ['https://example.comです', 'https://example.com'],
  ['https://例え.みんなです', 'https://例え.みんな'],
  ['https://example.com。次', 'https://example.com'],
  ['https://i❤️.ws/a', 'https://i❤️.ws/a'],
  ['https://example.com.', 'https://example.com'],
  ['https://user@example.com/ https://example.com@host.invalid/'],
  ['https://example.com-evil'],
  ['https://' + 'a.'.repeat(130) + 'com'],
  // path
  ['https://example.com/a.', 'https://example.com/a'],
  ['https://example.com/a!?, b', 'https://example.com/a'],
  ['https://example.com/a/…', 'https://example.com/a/…'],
  ['https://example.com/#/a', 'https://example.com/#/a'],
  ['https://example.com/@user/1', 'https://example.com/@user/1'],
  ['https://example.com/a~b-', 'https://example.com/a~b-'],
  ['https://example.com/a"b"', 'https://example.com/a"b'],
  ['「https://example.com/a」', 'https://example.com/a'],
  ['https://example.com/a*_%&|$]~', 'https://example.com/a*_'],
  ['https://example.com/<b>', 'https://example.com/'],
  ['https://example.com/日本語', 'https://example.com/日本語'],
  ['https://example.com/a　b', 'https://example.com/a'],
  // parentheses
  ['(https://example.com/a)', 'https://example.com/a'],
  ['https://example.com/a_(b)', 'https://example.com/a_(b)'],
  ['(https://example.com/a_(b))', 'https://example.com/a_(b)'],
  ['https://example.com/a_(b_(c)_d).', 'https://example.com/a_(b_(c)_d)'],
  ['https://example.com/a(b(c(d)))', 'https://example.com/a'],
  ['https://example.com/a(b', 'https://example.com/a'],
  ['https://example.com/(a)(b)c', 'https://example.com/(a)(b)c'],
  // query
  ['https://example.com/?a=b&c=d#e', 'https://example.com/?a=b&c=d#e'],
  ['https://example.com/?a=b.', 'https://example.com/?a=b'],
  ['https://example.com/?a=(b)', 'https://example.com/?a=(b'],
  ['https://example.com/?', 'https://example.com/'],
  ['https://example.com/?q=日本。', 'https://example.com/?q=日本。'],
  ['https://example.com/?q="x"', 'https://example.com/?q='],
  // several, and text inside that looks like other entities
  ['https://a.example.com https://b.example.com', 'https://a.example.com', 'https://b.example.com'],
  ['https://web.archive.org/web/https://example.com/', 'https://web.archive.org/web/https://example.com/'],
  // right-to-left text
  ['زوروا https://example.com/a، شكرا', 'https://example.com/a،'],
  ['https://مثال.موقع/صفحة نص', 'https://مثال.موقع/صفحة'],
  // other addresses
  ['xmpp:user@example.com', 'xmpp:user@example.com'],
  ['xmpp:room@muc.example.com/me?join.', 'xmpp:room@muc.example.com/me?join'],
  ['xmpp:example.com', 'xmpp:example.com'],
  ['xmpp:nobody xmpp:a@host.invalid'],
  [
    'magnet:?xt=urn:btih:c12fe1c06bba254a9dc9f519b335aa7c1367a88a,',
    'magnet:?xt=urn:btih:c12fe1c06bba254a9dc9f519b335aa7c1367a88a',
  ],
  ['magnet: magnet:x magnet:?'],
]

test('URLs are recognised with the punctuation around them left out', async () => {
  for (const [text, ...expected] of urls) assert.deepEqual(spansOf('url', text), expected, text)
})

test('a URL of more than 4096 characters is plain text', async () => {
  const longest = `https://example.com/${'é'.repeat(4096 - 20)}`
  assert.deepEqual(spansOf('url', longest), [longest])
  assert.deepEqual(recognise(`${longest}a`), [])
})

const mentions: [text: string, ...expected: string[]][] = [
  ['@alice', '@alice'],
  ['hello @alice, @bob!', '@alice', '@bob'],
  ['@alice@example.com.', '@alice@example.com'],
  ['@Alice_9@Sub.Example.com:', '@Alice_9@Sub.Example.com'],
  ['@a.b-c @a. @b-', '@a.b-c', '@a', '@b'],
  ['@.a @-a @ a'],
  ['@alice@例え.みんな', '@alice@例え.みんな'],
  ['(@alice) "@bob" .@carol', '@alice', '@bob', '@carol'],
  ['=@alice /@alice x@alice é@alice 日@alice _@alice'],
  ['user@example.com'],
  ['@alice@ @alice＠ @alice@b@c'],
  ['@alicé @alice\u0301 @alice://x'],
  ['@aliceさん', '@alice'],
  ['＠alice'],
  [`@alice@${'a'.repeat(254)} @bob@${'a'.repeat(253)}`, `@bob@${'a'.repeat(253)}`],
  ['مرحبا @alice!', '@alice'],
  ['\u200f@alice', '@alice'],
  ['@alice\n@bob', '@alice', '@bob'],
  ['https://example.com/@alice'],
  ['https://@alice'],
  ['שלום @alice ו@bob', '@alice'],
  ['你好，@alice。再见@bob', '@alice'],
  ['👋@alice 🇩🇪@bob', '@alice', '@bob'],
]

test('mentions are recognised, mail addresses and parts of URLs are not', async () => {
  for (const [text, ...expected] of mentions) assert.deepEqual(spansOf('mention', text), expected, text)
})

test('a mention has its username and domain as typed', async () => {
  assert.deepEqual(recognise('hi @Al_1 and @b.c@X.example'), [
    { kind: 'mention', start: 3, end: 8, username: 'Al_1', domain: null },
    { kind: 'mention', start: 13, end: 27, username: 'b.c', domain: 'X.example' },
  ])
})

const hashtags: [text: string, ...expected: string[]][] = [
  ['#tea #Coffee', '#tea', '#Coffee'],
  ['line\n#tea\u00a0#milk\u3000#お茶', '#tea', '#milk', '#お茶'],
  ['＃お茶', '＃お茶'],
  ['x#tea (#tea) /#tea ##tea &#39;'],
  ['#tea, #milk.', '#tea', '#milk'],
  ['#1 #2024 # #_ #・'],
  ['#1a #a1 #1_2 #_a_', '#1a', '#a1', '#1_2', '#_a_'],
  ['#a·b #a・b #نیم\u200cفاصله', '#a·b', '#a・b', '#نیم\u200cفاصله'],
  ['#a· #·a #1・2・', '#a', '#1・2'],
  ['#हिन्दी #ภาษาไทย #한국어 #الوسم', '#हिन्दी', '#ภาษาไทย', '#한국어', '#الوسم'],
  ['#café #cafe\u0301', '#café', '#cafe\u0301'],
  ['#𝕥𝕖𝕒!', '#𝕥𝕖𝕒'],
  ['#tea-time #a#b', '#tea', '#a'],
  ['#teahttps://example.com #https://example.com', '#tea'],
  ['#😀'],
  ['https://example.com/#tea'],
]

test('hashtags are recognised at a line start or after white space', async () => {
  for (const [text, ...expected] of hashtags) assert.deepEqual(spansOf('hashtag', text), expected, text)
})

test('entities come in order, with UTF-16 indexes, the first of two that overlap', async () => {
  assert.deepEqual(recognise('😀 #a @b https://c.example.com/@d'), [
    { kind: 'hashtag', start: 3, end: 5, name: 'a' },
    { kind: 'mention', start: 6, end: 8, username: 'b', domain: null },
    { kind: 'url', start: 9, end: 33, url: 'https://c.example.com/@d' },
  ])
  assert.deepEqual(spansOf('url', '#日本・xmpp:a@example.com'), [])
  assert.deepEqual(spansOf('url', '#日本https://example.com'), ['https://example.com'])
  assert.deepEqual(spansOf('hashtag', '#日本https://example.com'), ['#日本'])
})

const hostile = [
  '(',
  '@',
  '#',
  ' #',
  'a.',
  '@a',
  '@a.',
  ' @a@b.',
  ' #・',
  ':',
  'https://',
  'https://a.',
  'https://a.com/',
  'https://a.com/(',
  'https://a.com/((a)',
  'https://a.com/(a)',
  'https://example.com/?',
  'https://日',
  'https://日.本',
  'xmpp:',
  'xmpp:aaaa',
  'magnet:?',
  '😀',
  '\ud800',
]

test('hostile text of hundreds of kilobytes is processed quickly', { timeout: 60_000 }, async () => {
  for (const part of hostile) {
    const text = part.repeat(Math.ceil(200_000 / part.length))
    for (const { start, end } of recognise(text)) assert.ok(start < end && end <= text.length, part)
  }
  for (const head of ['@', '#', 'https://', 'https://a.com/', 'https://a.com/(', 'https://a.com/?', 'xmpp:', '@a@']) {
    for (const body of ['a', 'a.', '-', '.', '_', '・', ':', '日', '()']) {
      assert.ok(recognise(head + body.repeat(200_000)).length <= 1, head + body)
    }
  }
})

test('a field value that is one https URL can be verified', async () => {
  assert.equal(verifiableUrl(' https://example.com/about '), 'https://example.com/about')
  assert.equal(verifiableUrl('https://example.com:8443/?a=b'), 'https://example.com:8443/?a=b')
  for (const value of [
    'http://example.com',
    'see https://example.com',
    'https://example.com.',
    'https://例え.みんな/',
    '',
  ]) {
    assert.equal(verifiableUrl(value), null, value)
  }
  assert.equal(verifiableUrl('https://user:pass@example.com'), null)
})
