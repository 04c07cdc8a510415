import assert from 'node:assert/strict'
import { test } from 'tap'

import {
  formatField,
  formatNote,
  formatStatus,
  rewriteMentions,
  type FormatContext,
  type MentionedAccount,
} from '../../../src/core/text/index.ts'

const accounts: MentionedAccount[] = [
  { username: 'alice', domain: null, url: 'https://millrace.example/@alice' },
  { username: 'bob', domain: 'b.example', url: 'https://b.example/@bob?a="&b' },
  { username: 'Alice', domain: 'b.example', url: 'https://b.example/@Alice' },
]

const context: FormatContext = {
  mentions: (username, domain) =>
    accounts.find(
      account =>
        account.username.toLowerCase() === username.toLowerCase() &&
        account.domain === (domain === 'millrace.example' ? null : domain),
    ),
  tagUrl: name => `https://millrace.example/tags/${encodeURIComponent(name)}`,
}

function linkTo(url: string, prefix: string, shown: string, rest = '', rel = 'nofollow noopener'): string {
  return (
    `<a href="${url}" target="_blank" rel="${rel}" translate="no"><span class="invisible">${prefix}</span>` +
    `<span class="${rest ? 'ellipsis' : ''}">${shown}</span><span class="invisible">${rest}</span></a>`
  )
}

function mentionOf(url: string, name: string): string {
  return `<span class="h-card" translate="no"><a href="${url}" class="u-url mention">@<span>${name}</span></a></span>`
}

const ALICE = 'https://millrace.example/@alice'

const texts: [text: string, html: string][] = [
  ['', ''],
  [' \n\r\n ', ''],
  ['hello', '<p>hello</p>'],
  ['a\nb', '<p>a<br />b</p>'],
  ['a\r\nb\rc', '<p>a<br />b<br />c</p>'],
  ['a\n\nb\n\n\n\nc', '<p>a</p><p>b</p><p>c</p>'],
  ['\n\na\n\n\nb\n', '<p>a</p><p>b</p>'],
  ['\na\n', '<p>a</p>'],
  [`<b>&"'`, '<p>&lt;b&gt;&amp;&quot;&#39;</p>'],
  ['&lt;', '<p>&amp;lt;</p>'],
  ['a :blob: b', '<p>a :blob: b</p>'],
  ['https://example.com', `<p>${linkTo('https://example.com', 'https://', 'example.com')}</p>`],
  ['(http://www.example.com/)', `<p>(${linkTo('http://www.example.com/', 'http://www.', 'example.com/')})</p>`],
  ['xmpp:a@example.com', `<p>${linkTo('xmpp:a@example.com', 'xmpp:', 'a@example.com')}</p>`],
  ['gemini://example.com/', `<p>${linkTo('gemini://example.com/', '', 'gemini://example.com/')}</p>`],
  [
    `https://example.com/${'a'.repeat(18)}`,
    `<p>${linkTo(`https://example.com/${'a'.repeat(18)}`, 'https://', `example.com/${'a'.repeat(18)}`)}</p>`,
  ],
  [
    `https://example.com/${'a'.repeat(19)}`,
    `<p>${linkTo(`https://example.com/${'a'.repeat(19)}`, 'https://', `example.com/${'a'.repeat(19)}`)}</p>`,
  ],
  [
    `https://example.com/${'a'.repeat(20)}`,
    `<p>${linkTo(`https://example.com/${'a'.repeat(20)}`, 'https://', `example.com/${'a'.repeat(18)}`, 'aa')}</p>`,
  ],
  [
    `https://example.com/${'😀'.repeat(20)}`,
    `<p>${linkTo(`https://example.com/${'😀'.repeat(20)}`, 'https://', `example.com/${'😀'.repeat(18)}`, '😀😀')}</p>`,
  ],
  [
    'https://example.com/?a=b&c=d',
    `<p>${linkTo('https://example.com/?a=b&amp;c=d', 'https://', 'example.com/?a=b&amp;c=d')}</p>`,
  ],
  ['https://xn--a.com/', '<p>https://xn--a.com/</p>'],
  ['hi @alice!', `<p>hi ${mentionOf(ALICE, 'alice')}!</p>`],
  ['@ALICE @alice@millrace.example', `<p>${mentionOf(ALICE, 'alice')} ${mentionOf(ALICE, 'alice')}</p>`],
  ['@bob@b.example', `<p>${mentionOf('https://b.example/@bob?a=&quot;&amp;b', 'bob')}</p>`],
  ['@bob @nobody@b.example', '<p>@bob @nobody@b.example</p>'],
  [
    '@alice @alice@b.example @bob@b.example',
    `<p>${mentionOf(ALICE, 'alice')} ${mentionOf('https://b.example/@Alice', 'Alice@b.example')} ` +
      `${mentionOf('https://b.example/@bob?a=&quot;&amp;b', 'bob')}</p>`,
  ],
  [
    '＃お茶 #Tea',
    '<p><a href="https://millrace.example/tags/%E3%81%8A%E8%8C%B6" class="mention hashtag" rel="tag">#<span>お茶</span></a> ' +
      '<a href="https://millrace.example/tags/Tea" class="mention hashtag" rel="tag">#<span>Tea</span></a></p>',
  ],
]

test('plain text becomes HTML', async () => {
  for (const [text, html] of texts) {
    assert.equal(formatStatus(text, context), html, text)
    assert.equal(formatNote(text, context), html, text)
  }
})

test('a quoted status is named in front unless the text has its address', async () => {
  const quoteUrl = 'https://b.example.com/@bob/1'
  const link = linkTo(quoteUrl, 'https://', 'b.example.com/@bob/1')
  assert.equal(
    formatStatus('so true', { ...context, quoteUrl }),
    `<p class="quote-inline">RE: ${link}</p><p>so true</p>`,
  )
  assert.equal(formatStatus('', { ...context, quoteUrl }), `<p class="quote-inline">RE: ${link}</p>`)
  assert.equal(formatStatus(`so true ${quoteUrl}`, { ...context, quoteUrl }), `<p>so true ${link}</p>`)
  assert.equal(formatStatus('a', { ...context, quoteUrl: null }), '<p>a</p>')
  assert.equal(
    formatStatus('', { ...context, quoteUrl: 'javascript:x' }),
    '<p class="quote-inline">RE: javascript:x</p>',
  )
})

test('a profile field is one line, its links are marked as own, its mentions have domains', async () => {
  assert.equal(formatField('', context), '')
  assert.equal(formatField(' a\n\nb < c ', context), 'a b &lt; c')
  assert.equal(
    formatField('https://example.com', context),
    linkTo('https://example.com', 'https://', 'example.com', '', 'nofollow noopener me'),
  )
  assert.equal(
    formatField('@alice @bob@b.example', context),
    `${mentionOf(ALICE, 'alice')} ${mentionOf('https://b.example/@bob?a=&quot;&amp;b', 'bob@b.example')}`,
  )
})

test('mentions are rewritten to the spelling of their accounts', async () => {
  assert.equal(
    rewriteMentions('@ALICE@millrace.example, @Bob@b.example; @nobody #x @alice', context.mentions),
    '@alice, @bob@b.example; @nobody #x @alice',
  )
  assert.equal(rewriteMentions('', context.mentions), '')
})
