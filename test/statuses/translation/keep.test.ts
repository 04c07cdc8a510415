import assert from 'node:assert/strict'
import { test } from 'tap'
import { protectHtml, protectText } from '../../../src/statuses/translation/protect_markup.ts'
import { shout } from './backends.ts'

const MENTION =
  '<span class="h-card" translate="no"><a href="https://x.example/@bob" class="u-url mention">@<span>bob</span></a></span>'
const LINK =
  '<a href="https://a.example/?a=1&amp;b=2" target="_blank" rel="nofollow noopener" translate="no"><span class="invisible">https://</span><span class="">a.example/?a=1&amp;b=2</span><span class="invisible"></span></a>'
const TAG = '<a href="https://x.example/tags/cats" class="mention hashtag" rel="tag">#<span>cats</span></a>'

const cases: [name: string, html: string, translated: string][] = [
  ['plain', '<p>hello</p>', '<p>HELLO</p>'],
  ['line breaks', '<p>one<br />two</p><p>three</p>', '<p>ONE<br />TWO</p><p>THREE</p>'],
  ['a mention', `<p>hi ${MENTION}, you</p>`, `<p>HI ${MENTION}, YOU</p>`],
  ['a link', `<p>see ${LINK}</p>`, `<p>SEE ${LINK}</p>`],
  ['a hashtag', `<p>my ${TAG}!</p>`, `<p>MY ${TAG}!</p>`],
  ['shortcodes', '<p>so :blob_cat: much :a1:</p>', '<p>SO :blob_cat: MUCH :a1:</p>'],
  ['all of it', `<p>${MENTION} ${TAG} :ok: ${LINK}</p>`, `<p>${MENTION} ${TAG} :ok: ${LINK}</p>`],
  ['references', '<p>a &amp; b &lt;i&gt;</p>', '<p>A &amp; B &lt;I&gt;</p>'],
  ['nothing closed', '<p>a <span translate="no">b', '<p>A B</p>'],
]

for (const rude of [false, true]) {
  test(`protected parts are preserved with a ${rude ? 'rude' : 'polite'} backend`, async () => {
    for (const [name, html, wanted] of cases) {
      const kept = protectHtml(html)
      const got = kept.restore(shout(kept.html, rude))
      if (name === 'nothing closed') assert.doesNotMatch(got, /<script/, name)
      else assert.equal(got, wanted, name)
    }
  })
}

test('a translation is sanitised, and forged marks have no effect', async () => {
  const kept = protectHtml('<p>hello</p>')
  assert.equal(kept.restore('<p onclick="x()">hi<script>alert(1)</script></p>'), '<p>hi</p>')
  assert.equal(kept.restore('<p>a<span class="u-kept-7">b</span></p>'), '<p>a</p>')
})

test('plain text stays plain: markup, line breaks and shortcodes', async () => {
  const kept = protectText('a < b & "c"\n:cat: d')
  assert.equal(kept.restore(shout(kept.html, true)), 'A < B & "C"\n:cat: D')
})
