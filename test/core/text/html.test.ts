import assert from 'node:assert/strict'
import { test } from 'tap'

import { escapeHtml, htmlToText, possibleHtmlToText } from '../../../src/core/text/index.ts'
import { sanitiseRemote } from '../../../src/core/text/sanitise.ts'

test('the five characters of HTML are escaped', async () => {
  assert.equal(escapeHtml(`<a href="x">&'`), '&lt;a href=&quot;x&quot;&gt;&amp;&#39;')
  assert.equal(escapeHtml('日本'), '日本')
})

const plain: [html: string, text: string][] = [
  ['', ''],
  ['<p>a</p>', 'a'],
  ['<p>a<br />b</p><p>c</p>', 'a\nb\n\nc'],
  ['a<br>b<BR/>c', 'a\nb\nc'],
  ['<ul><li>a</li><li>b</li></ul>c', 'a\nb\n\nc'],
  ['<p>&lt;b&gt; &amp;amp; &quot;&#39;&#x1F600;&nbsp;x</p>', '<b> &amp; "\'😀\u00a0x'],
  ['caf&eacute; &hellip; <b>x</b><br>y &lt;i&gt;', 'café … x\ny <i>'],
  ['&#0;&#55296;&#9999999;', '\ufffd\ufffd\ufffd'],
  ['&xyzzy; &', '&xyzzy; &'],
  ['&not; &xyzzy; & &lt;', '¬ &xyzzy; & <'],
  ['&copy 2026 &AMP; &ampx; &#128;', '© 2026 & &x; €'],
  [
    '<a href="https://example.com/aaaa"><span class="invisible">https://</span><span>example.com/</span><span>aaaa</span></a>',
    'https://example.com/aaaa',
  ],
  ['<abbr>a</abbr><progress>b</progress>', 'ab'],
  ['a < b', 'a < b'],
  ['<p class="quote-inline">RE: <a href="https://a.example">a<span>b</span></a></p><p>so true</p>', 'so true'],
  [
    '<p>so true<span class="x quote-inline"><br />RE: <span class="invisible">a</span>b</span></p><p>c</p>',
    'so true\n\nc',
  ],
  ['<p lang="de" class="quote-inline">RE: a', ''],
  ['<p class="quote-inlined">a</p>', 'a'],
]

test('HTML becomes plain text', async () => {
  for (const [html, text] of plain) assert.equal(htmlToText(html), text, html)
})

const LINK_END = 'rel="nofollow noopener" target="_blank"'

const remote: [html: string, sanitised: string][] = [
  ['<p>a<br>b</p>', '<p>a<br />b</p>'],
  [
    '<h1 lang="de" class="x">a</h1><h6>b</h6><div>c</div><table><tr><td>d</td></tr></table>',
    '<p lang="de"><strong>a</strong></p><p><strong>b</strong></p>c<br />d',
  ],
  ['<div>a</div><div>b</div>', 'a<br />b'],
  ['<div><div>a</div>\n<div><div><b>b</b> c</div></div></div><div></div>', 'a\n<br /><b>b</b> c'],
  ['<div><p>a</p></div><section>b</section><p>c</p><div>d</div>', '<p>a</p>b<p>c</p>d'],
  ['<div>a<br></div><div>b</div><div><br></div><div>c</div>', 'a<br />b<br /><br />c'],
  ['a<hr>b<hr/>c', 'a<br />b<br />c'],
  ['<dl><dt>a</dt><dd><i>b</i></dd></dl><address>c</address><nav>d</nav><hr>', 'a<br /><i>b</i><br />c<br />d'],
  ['<header>a</header><article>b<aside>c</aside>d</article><footer>e</footer>', 'a<br />b<br />c<br />d<br />e'],
  ['<ul><li><div>a</div></li><li>b</li></ul><div>c</div>', '<ul><li>a</li><li>b</li></ul>c'],
  ['<table><tr><th>a</th><th>b</th></tr><tr><td>c</td><td></td><td>d</td></tr></table>e', 'a b<br />c d<br />e'],
  ['<div>a</div>', 'a'],
  ['<b><div>a</div></b><div title="&gt;&lt;">b &lt; c</div>', '<b>a</b><br />b &lt; c'],
  ['<h2>a &gt; b <em>c</em></h2>', '<p><strong>a &gt; b <em>c</em></strong></p>'],
  ['<ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp></ruby>', '<ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp></ruby>'],
  ['<script>alert(1)</script><style>p{}</style>a', 'a'],
  ['<p onclick="x()" style="color:red" id="x">a</p>', '<p>a</p>'],
  ['<p lang="ja">a</p><em lang="de">b</em>', '<p lang="ja">a</p><em lang="de">b</em>'],
  ['<ol start="3" reversed><li value="5" class="x">a</li></ol>', '<ol start="3" reversed><li value="5">a</li></ol>'],
  ['<ol start="x"><li>a</li></ol>', '<ol><li>a</li></ol>'],
  ['<blockquote cite="https://example.com">a</blockquote>', '<blockquote>a</blockquote>'],
  [
    '<abbr title="a&quot;b">x</abbr><sub>1</sub><sup>2</sup>',
    '<abbr title="a&quot;b">x</abbr><sub>1</sub><sup>2</sup>',
  ],
  [
    '<span class="h-card x u-url evil mention" translate="no">a</span>',
    '<span class="h-card u-url mention" translate="no">a</span>',
  ],
  ['<span class="evil" translate="yes">a</span>', '<span>a</span>'],
  ['<p class="quote-inline">a</p>', '<p class="quote-inline">a</p>'],
  ['<b class="mention">a</b>', '<b>a</b>'],
  [
    '<a href="https://example.com/?a=b&amp;c" rel="me" target="_self" title="t">x</a>',
    `<a href="https://example.com/?a=b&amp;c" ${LINK_END}>x</a>`,
  ],
  [
    '<a href="https://example.com/tags/x" rel="tag">#x</a><a href="https://example.com/y" class="mention" rel="nofollow Tag">#y</a>',
    `<a href="https://example.com/tags/x" class="hashtag" ${LINK_END}>#x</a><a href="https://example.com/y" class="mention hashtag" ${LINK_END}>#y</a>`,
  ],
  ['<a href="https://example.com/" rel="me tags">x</a>', `<a href="https://example.com/" ${LINK_END}>x</a>`],
  ['<a href="xmpp:a@example.com">x</a>', `<a href="xmpp:a@example.com" ${LINK_END}>x</a>`],
  ['<a href="javascript:alert(1)">x</a><b>y</b>', 'x<b>y</b>'],
  ['<a href="java&#10;script:alert(1)">x</a>', 'x'],
  ['<a href=" data:text/html,x">x</a>', 'x'],
  ['<a href="/local">x</a><a href="//example.com">y</a><a>z</a>', 'xyz'],
  [
    '<a href="https://a.example"><b>x</b><a href="https://b.example">y</a></a>',
    `<a href="https://a.example" ${LINK_END}><b>x</b>y</a>`,
  ],
  [
    '<img src="https://example.com/a.png" alt="a <b> cat"> x <b>y</b>',
    `<a href="https://example.com/a.png" ${LINK_END}>a &lt;b&gt; cat</a> x <b>y</b>`,
  ],
  [
    '<img src="https://example.com/a.png">',
    `<a href="https://example.com/a.png" ${LINK_END}>https://example.com/a.png</a>`,
  ],
  ['<img src="javascript:x" alt="a cat">b<i>c</i>', '<span>a cat</span>b<i>c</i>'],
  [
    '<a href="https://a.example"><img src="https://b.example/x.png" alt="cat"></a>',
    `<a href="https://a.example" ${LINK_END}><span>cat</span></a>`,
  ],
  [
    '<math><semantics><mi>x</mi><annotation encoding="application/x-tex">x &lt; \\pi</annotation></semantics></math>!',
    '$x &lt; \\pi$!',
  ],
  [
    '<math display="block"><semantics><mi>x</mi><annotation encoding="application/x-tex">x</annotation></semantics></math>',
    '$$x$$',
  ],
  [
    '<math><semantics><mi>x</mi><annotation encoding="text/plain">x<script>y</script></annotation></semantics></math>',
    'x',
  ],
  ['<math><mi>x</mi></math>', 'x'],
  ['<p>unclosed <b>bold', '<p>unclosed <b>bold</b></p>'],
  ['a < b & c', 'a &lt; b &amp; c'],
  ['<<script>script>alert(1)<</script>/script>', '&lt;/script&gt;'],
  ['<svg><a xlink:href="javascript:x">y</a></svg>', 'y'],
]

test('remote HTML keeps what is safe', async () => {
  for (const [html, sanitised] of remote) {
    assert.equal(sanitiseRemote(html), sanitised, html)
    assert.equal(sanitiseRemote(sanitised), sanitised, `${html} twice`)
  }
})

test('hostile HTML of hundreds of kilobytes is processed quickly', { timeout: 60_000 }, async () => {
  for (const part of [
    '<',
    '<math>',
    '<b>',
    '</b>',
    '<a href="x">',
    '&',
    '&#',
    '<math></math>',
    '<!--',
    '<a ',
    '<b/',
    '<div>',
    '<div>a</div>',
    '<hr>',
    '<img alt=x>',
    '<p class="quote-inline">',
  ]) {
    const html = part.repeat(Math.ceil(200_000 / part.length))
    assert.equal(typeof htmlToText(html), 'string')
    assert.equal(typeof possibleHtmlToText(html), 'string')
    assert.equal(typeof sanitiseRemote(html), 'string')
  }
})
