import assert from 'node:assert/strict'
import { test } from 'tap'
import { people } from '../support/people.ts'

/**
 * Texts in many scripts; the resulting paragraph, with links in braces; the counted characters; the
 * hashtags. BOB is a username of three characters.
 */
const texts: readonly [text: string, shown: string, count: number, ...tags: string[]][] = [
  // right to left
  ['שלום @BOB, מה שלומך? #שבת ok', 'שלום {@BOB}, מה שלומך? {#שבת} ok', 28, 'שבת'],
  ['ראו https://example.com/דף.', 'ראו {https://example.com/דף}.', 28],
  ['مرحبا (@BOB) #القهوة، شكرا', 'مرحبا ({@BOB}) {#القهوة}، شكرا', 26, 'القهوة'],
  ['https://مثال.موقع/صفحة!', '{https://مثال.موقع/صفحة}!', 24],
  ['\u202bעברית\u202c and @BOB\u200f', '\u202bעברית\u202c and {@BOB}\u200f', 17],
  ['#نیم\u200cفاصله', '{#نیم\u200cفاصله}', 9, 'نیم\u200cفاصله'],
  // emoji: families, flags, skin tones, keycaps
  ['👩‍👩‍👧‍👦🏳️‍🌈🇩🇪👍🏽1️⃣ #tea', '👩‍👩‍👧‍👦🏳️‍🌈🇩🇪👍🏽1️⃣ {#tea}', 10, 'tea'],
  ['#😀 #tea😀 🇫🇷#no', '#😀 {#tea}😀 🇫🇷#no', 13, 'tea'],
  ['👋@BOB', '👋{@BOB}', 5],
  // CJK, Thai, Devanagari, Cyrillic
  ['你好，@BOB。看https://例え.みんな/道 ok', '你好，{@BOB}。看{https://例え.みんな/道} ok', 35],
  ['＃お茶・緑 ok', '{#お茶・緑} ok', 8, 'お茶・緑'],
  ['안녕 #한국어 "https://example.com/가"', '안녕 {#한국어} &quot;{https://example.com/가}&quot;', 33, '한국어'],
  ['ทดสอบ #ภาษาไทย', 'ทดสอบ {#ภาษาไทย}', 14, 'ภาษาไทย'],
  ['नमस्ते #हिन्दी, @BOB!', 'नमस्ते {#हिन्दी}, {@BOB}!', 14, 'हिनदी'],
  [
    'Привет #Москва2026. «https://правительство.рф»',
    'Привет {#Москва2026}. «{https://правительство.рф}»',
    45,
    'москва2026',
  ],
  // Latin, with punctuation around
  ['#café #Ünïcode_ß #1984 #1984a', '{#café} {#Ünïcode_ß} #1984 {#1984a}', 29, '1984a', 'cafe', 'unicode_ß'],
  ['#cafe\u0301 e\u0301', '{#cafe\u0301} e\u0301', 7, 'cafe'],
  [`<@BOB> [@BOB] @BOB: @BOB's x@BOB`, '&lt;{@BOB}&gt; [{@BOB}] {@BOB}: {@BOB}&#39;s x@BOB', 32],
  ['(https://en.example.org/wiki/Mill_(grinding)), ok', '({https://en.example.org/wiki/Mill_(grinding)}), ok', 29],
  ['line\n#נקודה\n\n@BOB', 'line<br />{#נקודה}</p><p>{@BOB}', 17, 'נקודה'],
]

const MAX_LENGTH = 500

/** The HTML of a link whose text is short enough to be shown whole. */
function linkTo(url: string): string {
  const [, prefix = '', rest = ''] = /^(https:\/\/)(.*)$/.exec(url) ?? []
  const shown = rest.slice(0, 30)
  const hidden = rest.slice(shown.length)
  return (
    `<a href="${url}" target="_blank" rel="nofollow noopener" translate="no"><span class="invisible">${prefix}</span>` +
    `<span class="${hidden === '' ? '' : 'ellipsis'}">${shown}</span><span class="invisible">${hidden}</span></a>`
  )
}

const tagTo = (name: string, publicUrl: string): string =>
  `<a href="${publicUrl}/tags/${encodeURIComponent(name)}" class="mention hashtag" rel="tag">#<span>${name}</span></a>`

test('texts in many scripts: recognised parts, HTML, and counted length', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  const { publicUrl } = server.config
  const mention = `<span class="h-card" translate="no"><a href="${publicUrl}/@${bob.username}" class="u-url mention">@<span>${bob.username}</span></a></span>`
  for (const [text, shown, count, ...tags] of texts) {
    const written = text.replaceAll('BOB', bob.username)
    const status = await alice.postStatus(written)
    const html = shown
      .replaceAll('{@BOB}', mention)
      .replace(/\{#([^}]*)\}/g, (_, name: string) => tagTo(name, publicUrl))
      .replace(/\{(https:[^}]*)\}/g, (_, url: string) => linkTo(url))
      .replaceAll('BOB', bob.username)
    assert.equal(status['content'], `<p>${html}</p>`, text)
    const names = (status['tags'] as { name: string }[]).map(tag => tag.name)
    assert.deepEqual(names.toSorted(), tags.toSorted(), text)

    const longer = text.split('BOB').length - 1
    const length = count + longer * (bob.username.length - 'BOB'.length)
    const filled = (to: number): string => `${written} ${'x'.repeat(to - length - 1)}`
    assert.equal((await alice.post('/api/v1/statuses', { status: filled(MAX_LENGTH + 1) })).status, 422, `${text}: 501`)
    assert.equal((await alice.post('/api/v1/statuses', { status: filled(MAX_LENGTH) })).status, 200, `${text}: 500`)
  }
})
