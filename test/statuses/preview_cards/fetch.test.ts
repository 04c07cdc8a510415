import assert from 'node:assert/strict'
import { test, type Test } from 'tap'
import { follow, openOutgoing, OutgoingFailure } from '../../../src/platform/http_client/index.ts'
import { readConfig } from '../../../src/core/config.ts'
import { fetchCard } from '../../../src/statuses/preview_cards/fetch.ts'
import type { CardFacts } from '../../../src/statuses/preview_cards/facts.ts'
import { startSite, type Page, type Site } from './site.ts'

const OWN = 'https://social.example'

async function start(
  t: Test,
  allowPrivateAddresses = true,
): Promise<{ site: Site; fetch: (url: string) => Promise<CardFacts | undefined> }> {
  const site = await startSite(t)
  const outgoing = openOutgoing({ allowPrivateAddresses, publicUrl: OWN })
  t.after(() => outgoing.close())
  const config = readConfig({ PUBLIC_URL: OWN })
  return { site, fetch: url => fetchCard({ outgoing, config }, url) }
}

const head = (...tags: string[]): string =>
  `<!doctype html><html lang="de-AT"><head>${tags.join('')}</head><body>x</body></html>`
const og = (name: string, content: string): string => `<meta property="og:${name}" content="${content}">`
const html = (charset?: string) => ({
  'content-type': charset === undefined ? 'text/html' : `text/html; charset=${charset}`,
})

test('a page describes itself by Open Graph', async t => {
  const { site, fetch } = await start(t)
  const url = site.page(
    '/article?a=1&b=2',
    head(
      '<title>Not this</title>',
      og('type', 'Article'),
      og('title', 'Bread &amp; circuses\n  &#x1F35E;'),
      og('description', 'Ovens &lt;b&gt;explained&lt;/b&gt;'),
      og('site_name', 'The Baker'),
      og('image', '/bread.png'),
      og('image:alt', 'A loaf'),
      '<meta property="article:published_time" content="2026-05-04T10:00:00+02:00">',
      '<meta name="author" content="Ann Baker">',
      '<meta property="article:author" content="https://baker.example/ann">',
      '<meta name="fediverse:creator" content="@ann@social.example">',
    ),
  )
  assert.deepEqual(await fetch(url), {
    type: 'link',
    title: 'Bread & circuses 🍞',
    description: 'Ovens <b>explained</b>',
    language: 'de',
    authorName: 'Ann Baker',
    authorUrl: 'https://baker.example/ann',
    creator: '@ann@social.example',
    providerName: 'The Baker',
    providerUrl: '',
    html: '',
    width: 0,
    height: 0,
    imageUrl: site.url('/bread.png'),
    imageDescription: 'A loaf',
    embedUrl: '',
    publishedAt: new Date('2026-05-04T08:00:00Z'),
    isArticle: true,
    pageUrl: url,
  })
  const [request] = site.requests
  assert.equal(request?.headers['cookie'], undefined)
  assert.equal(request?.headers['accept-encoding'], 'identity')
  assert.match(request?.headers['user-agent'] ?? '', /^Millrace\/\S+ \(\+https:\/\/social\.example\) Bot$/)
  assert.equal(request?.headers['accept-language'], 'en, *;q=0.5')
})

test('without Open Graph the title and description are used; relative URLs follow the page’s base', async t => {
  const { site, fetch } = await start(t)
  const tags = ['<base href="/deep/">', '<title>Plain\n page</title>', '<meta NAME="Description" content=" About it ">']
  site.page('/plain', head(...tags, '<meta name="twitter:image" content="a.jpg">', '<svg><title>no</title></svg>'))
  const card = await fetch(site.url('/plain'))
  assert.deepEqual([card?.title, card?.description, card?.type], ['Plain page', 'About it', 'link'])
  assert.equal(card?.imageUrl, site.url('/deep/a.jpg'))
  assert.equal(await fetch(site.page('/untitled', head(og('description', 'Only this')))), undefined)
})

test('JSON-LD fills the gaps of a page’s tags', async t => {
  const { site, fetch } = await start(t)
  const script = (value: unknown): string =>
    `<script type="application/ld+json">${typeof value === 'string' ? value : JSON.stringify(value)}</script>`
  const article = {
    '@type': ['Thing', 'NewsArticle'],
    headline: 'Bread & butter',
    description: 'About ovens',
    inLanguage: 'fr-CA',
    datePublished: '2026-05-04T10:00:00+02:00',
    author: [{ '@type': 'Person', name: 'Ann Baker' }, { name: 'Bob' }],
    publisher: { name: 'The Baker' },
    image: { url: '/oven.png' },
  }
  const forms: [name: string, ...scripts: unknown[]][] = [
    ['one', article],
    ['a list', [{ '@type': 'BreadcrumbList' }, article]],
    ['a graph', { '@context': 'https://schema.org', '@graph': [{ '@type': 'WebSite', name: 'No' }, article] }],
    ['encoded twice', { ...article, headline: 'Bread &amp; butter', author: 'Ann&#32;Baker' }],
    ['CDATA', `//<![CDATA[\n${JSON.stringify(article)}\n//]]>`],
    ['CDATA between comments', `/* <![CDATA[ */${JSON.stringify(article)}/* ]]> */`],
    ['CDATA as a text', { ...article, headline: 'Bread & butter', text: '<![CDATA[ ]]>' }],
    ['broken ones before', '{', 'null', '[[[', { '@type': 'Organization', name: 'No' }, article],
  ]
  for (const [name, ...scripts] of forms) {
    const card = await fetch(site.page('/ld', `<head><title>T</title>${scripts.map(script).join('')}</head>`))
    assert.deepEqual(
      [card?.title, card?.description, card?.language, card?.authorName, card?.providerName, card?.imageUrl],
      ['Bread & butter', 'About ovens', 'fr', 'Ann Baker', 'The Baker', site.url('/oven.png')],
      name,
    )
    assert.deepEqual([card?.publishedAt, card?.isArticle], [new Date('2026-05-04T08:00:00Z'), true], name)
  }
  const both = await fetch(site.page('/both', head(og('title', 'By tag'), script({ ...article, author: 'Ann' }))))
  assert.deepEqual([both?.title, both?.language, both?.authorName], ['By tag', 'de', 'Ann'])
  const wrong = { '@type': 'Article', headline: 7, author: {}, publisher: [], image: [{}], datePublished: 'soon' }
  const plain = await fetch(site.page('/wrong', `<title>Plain</title>${script(wrong)}`))
  assert.deepEqual([plain?.title, plain?.authorName, plain?.imageUrl, plain?.publishedAt], ['Plain', '', null, null])
})

test('what does not call itself an article is none', async t => {
  const { site, fetch } = await start(t)
  const shop = JSON.stringify({ '@type': 'Product', name: 'A loaf' })
  const kinds = [[], [og('type', 'website')], [`<script type="application/ld+json">${shop}</script>`]]
  for (const tags of kinds) {
    const card = await fetch(site.page('/shop', head(og('title', 'A loaf'), ...tags)))
    assert.deepEqual([card?.title, card?.isArticle], ['A loaf', false])
  }
})

test('oEmbed data precedes the page: videos in a sandboxed frame, photos by their URL', async t => {
  const { site, fetch } = await start(t)
  const link = (path: string): string =>
    head(
      `<link rel="alternate" type="application/json+oembed" href="${path}">`,
      og('title', 'The page'),
      og('site_name', 'Site'),
    )
  const json = { 'content-type': 'application/json' }
  const film = {
    type: 'video',
    version: '1.0',
    title: 'A film',
    author_name: 'Zoë',
    author_url: '/zoe',
    provider_name: 'Films',
    provider_url: 'https://films.example/',
    thumbnail_url: '/thumb.jpg',
    width: 480,
    height: '270',
    html:
      '<script>alert(1)</script><p onclick="x()">Hi<iframe src="https://films.example/1?a=1&amp;b=2" width="480" height="270"' +
      ' onload="x()" srcdoc="<script>" allowfullscreen></iframe><iframe src="https://two.example"></iframe></p>',
  }
  site.page('/film.json', JSON.stringify(film), json)
  const card = await fetch(site.page('/film', link('/film.json')))
  assert.deepEqual([card?.type, card?.title, card?.width, card?.height], ['video', 'A film', 480, 270])
  assert.deepEqual([card?.authorName, card?.authorUrl], ['Zoë', site.url('/zoe')])
  assert.deepEqual([card?.providerName, card?.providerUrl], ['Films', 'https://films.example/'])
  assert.equal(card?.imageUrl, site.url('/thumb.jpg'))
  assert.equal(
    card?.html,
    '<iframe src="https://films.example/1?a=1&amp;b=2" width="480" height="270" allowfullscreen ' +
      'sandbox="allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox allow-forms"></iframe>',
  )

  site.page('/photo.json', JSON.stringify({ type: 'photo', url: '/full.jpg', width: 10, height: 20 }), json)
  const photo = await fetch(site.page('/photo', link('/photo.json')))
  assert.deepEqual([photo?.type, photo?.title, photo?.embedUrl], ['photo', 'The page', site.url('/full.jpg')])
  assert.deepEqual([photo?.width, photo?.height, photo?.imageUrl], [10, 20, site.url('/full.jpg')])

  const others: [string, unknown][] = [
    ['/rich.json', { type: 'rich', html: '<script src="https://evil.example"></script>', title: 'Rich' }],
    ['/frame.json', { ...film, html: '<iframe src="javascript:alert(1)"></iframe>' }],
    ['/http.json', { ...film, html: '<iframe src="http://films.example/1"></iframe>' }],
    ['/own.json', { ...film, html: `<iframe src="${OWN}/auth/edit"></iframe>` }],
    ['/long.json', { ...film, html: `<iframe src="https://films.example/${'a'.repeat(250_000)}"></iframe>` }],
    ['/escaped.json', { ...film, html: `<iframe src="https://films.example/?${'&amp;'.repeat(2000)}"></iframe>` }],
    ['/array.json', []],
    ['/null.json', null],
    ['/text.json', 'so'],
    ['/numbers.json', { type: 'photo', url: 7, title: {} }],
  ]
  for (const [path, data] of others) {
    site.page(path, JSON.stringify(data), json)
    const page = await fetch(site.page(`/of${path}`, link(path)))
    assert.deepEqual([page?.type, page?.title, page?.html, page?.providerName], ['link', 'The page', '', 'Site'], path)
  }
  site.page('/broken.json', '{"type":', json)
  assert.equal((await fetch(site.page('/broken', link('/broken.json'))))?.title, 'The page')
  assert.equal((await fetch(site.page('/gone', link('/gone.json'))))?.title, 'The page')
  site.page('/link.json', JSON.stringify({ type: 'link', title: 'Nul\u0000 \ud800', width: 5 }), json)
  const plain = await fetch(site.page('/linked', link('/link.json')))
  assert.deepEqual([plain?.type, plain?.title, plain?.width], ['link', 'Nul \ufffd', 0])
})

test('a page may name a player', async t => {
  const { site, fetch } = await start(t)
  const player = (src: string): string =>
    head(og('title', 'A talk'), `<meta name="twitter:player" content="${src}">`) +
    '<meta name="twitter:player:width" content="640"><meta name="twitter:player:height" content="360">'
  const card = await fetch(site.page('/talk', player('https://talks.example/1&quot;&gt;&lt;script&gt;')))
  assert.deepEqual([card?.type, card?.width, card?.height], ['video', 640, 360])
  assert.match(
    card?.html ?? '',
    /^<iframe src="https:\/\/talks\.example\/1%22%3E%3Cscript%3E" width="640" height="360" [^<>]*><\/iframe>$/,
  )
  for (const src of ['http://talks.example/1', 'javascript:alert(1)', 'data:text/html,x', `${OWN}/x`]) {
    const other = await fetch(site.page('/other', player(src)))
    assert.deepEqual([other?.type, other?.html, other?.width], ['link', '', 0], src)
  }
})

test('text is decoded as the response or the page declares, else as UTF-8 when it is valid', async t => {
  const { site, fetch } = await start(t)
  const title = (text: Buffer, meta = ''): Buffer =>
    Buffer.concat([Buffer.from(`<html><head>${meta}<title>`), text, Buffer.from('</title></head></html>')])
  const cases: [name: string, body: Buffer, charset: string | undefined, expected: string][] = [
    ['header', title(Buffer.from([0x83, 0x65, 0x83, 0x58, 0x83, 0x67])), 'Shift_JIS', 'テスト'],
    ['meta', title(Buffer.from([0xcf, 0xf0, 0xe8]), '<meta charset="windows-1251">'), undefined, 'При'],
    [
      'http-equiv',
      title(Buffer.from([0xc7, 0xd1]), '<meta http-equiv="content-type" content="text/html; charset=euc-kr">'),
      undefined,
      '한',
    ],
    ['late', title(Buffer.from([0xb1, 0xb2]), `<!--${'-x'.repeat(1000)}--><meta charset=iso-8859-2>`), undefined, 'ą˛'],
    ['utf-8 unsaid', title(Buffer.from('Größe — 大')), undefined, 'Größe — 大'],
    ['latin unsaid', title(Buffer.from('Größe', 'latin1')), undefined, 'Größe'],
    ['utf-16', Buffer.from(`\ufeff<title>Größe 大</title>`, 'utf16le'), undefined, 'Größe 大'],
    ['a lie', title(Buffer.from([0x61, 0xff, 0x62])), 'utf-8', 'a\ufffdb'],
    ['nonsense', title(Buffer.from('Größe')), 'x-klingon', 'Größe'],
    ['quoted', title(Buffer.from([0xe9])), '"ISO-8859-1"', 'é'],
  ]
  for (const [name, body, charset, expected] of cases) {
    const card = await fetch(site.page('/text', body, html(charset)))
    assert.equal(card?.title, expected, name)
  }
  assert.equal(await fetch(site.page('/text', title(Buffer.from('x')), html('hz-gb-2312'))), undefined)
})

test('a response that is not a page has no card, whatever it declares', async t => {
  const { site, fetch } = await start(t)
  const page = head(og('title', 'Title'))
  const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
  assert.equal(await fetch(site.page('/a', page, { 'content-type': 'application/pdf' })), undefined)
  assert.equal(await fetch(site.page('/b', page, { 'content-type': 'text/plain' })), undefined)
  assert.equal(await fetch(site.page('/c', page, {})), undefined)
  assert.equal(await fetch(site.page('/d', Buffer.concat([png, Buffer.alloc(5000, 0x80)]))), undefined)
  assert.equal(await fetch(site.page('/e', page, { ...html('utf-8'), 'content-encoding': 'br' })), undefined)
  assert.equal(await fetch(site.page('/f', '', html())), undefined)
  assert.equal((await fetch(site.page('/g', page, { 'content-type': 'TEXT/HTML;charset=utf-8' })))?.title, 'Title')
  assert.equal(await fetch(site.url('/missing')), undefined)
  const forbidden = site.page('/h', (_, response) => void response.writeHead(403, html()).end(page))
  assert.equal(await fetch(forbidden), undefined)
})

test('a temporary failure is an error; an unreachable page has no card', async t => {
  const { site, fetch } = await start(t)
  const unreachable = (error: unknown): boolean => error instanceof OutgoingFailure && error.reason === 'unreachable'
  for (const status of [429, 500, 503]) {
    const url = site.page('/later', (_, response) => void response.writeHead(status).end())
    await assert.rejects(fetch(url), unreachable)
  }
  const broken = site.page(
    '/broken',
    (_, response) => void response.writeHead(200, { ...html(), 'content-length': '9' }).destroy(),
  )
  await assert.rejects(fetch(broken), unreachable)
  await assert.rejects(fetch('http://127.0.0.1:1/'), unreachable)
  assert.equal(await fetch('http://user:secret@news.example.com/'), undefined)
})

test('redirects are followed, within limits and only to allowed addresses', async t => {
  const { site, fetch } = await start(t)
  const to =
    (location: string, status = 302): Page =>
    (_, response) =>
      void response.writeHead(status, { location }).end()
  site.page('/end', head(og('title', 'Arrived'), og('image', 'i.png')))
  site.page('/4', to('/end', 308))
  site.page('/3', to(site.url('/4', 'other.example.com'), 307))
  site.page('/2', to('3', 303))
  assert.equal((await fetch(site.page('/1', to('/2', 301))))?.imageUrl, site.url('/i.png', 'other.example.com'))
  site.asked.length = 0
  assert.equal(await fetch(site.page('/loop', to('/loop'))), undefined)
  assert.equal(site.asked.length, 6)
  assert.equal(await fetch(site.page('/file', to('file:///etc/passwd'))), undefined)
  assert.equal(await fetch(site.page('/nowhere', (_, response) => void response.writeHead(302).end())), undefined)
})

test('private addresses are refused, also by redirect and by name', async t => {
  const { site, fetch } = await start(t, false)
  const url = site.page('/secret', head(og('title', 'Internal')))
  for (const host of ['127.0.0.1', 'localhost', '[::1]', '169.254.169.254', '10.0.0.1', '0x7f.1', '2130706433']) {
    const at = new URL(url)
    at.hostname = host
    assert.equal(await fetch(at.href), undefined, host)
  }
  assert.deepEqual(site.asked, [])
})

test('only the beginning of a huge page is read, and an endless one ends', async t => {
  const { site, fetch } = await start(t)
  const endless = site.page('/endless', (_, response) => {
    response.writeHead(200, html('utf-8')).write(head(og('title', 'Endless')).replace('</body></html>', ''))
    const more = (): void => {
      while (response.write('<p>'.repeat(20_000)));
      response.once('drain', more)
    }
    more()
  })
  assert.equal((await fetch(endless))?.title, 'Endless')
})

test('a slow page is abandoned in time', async t => {
  const { site } = await start(t)
  const outgoing = openOutgoing({ allowPrivateAddresses: true, publicUrl: OWN })
  t.after(() => outgoing.close())
  const slow = site.page('/slow', (_, response) => {
    response.writeHead(200, html()).write('<title>')
    const drip = setInterval(() => response.write('.'), 20)
    response.on('close', () => clearInterval(drip))
  })
  const hop = site.page('/hop', (_, response) => void response.writeHead(302, { location: slow }).end())
  const wanted = { timeoutMs: 200, maxBytes: 1000, redirects: 5 }
  await assert.rejects(
    follow(outgoing, hop, wanted),
    (error: unknown) => error instanceof OutgoingFailure && error.reason === 'timeout',
  )
})

// An algorithm that is not linear takes minutes here.
test('hostile markup is read quickly and does no harm', { timeout: 60_000 }, async t => {
  const { site, fetch } = await start(t)
  const title = '<title>T</title>'
  const pages: [string, string][] = [
    ['deep', title + '<a>'.repeat(340_000)],
    ['unclosed', title + '<a>'.repeat(170_000) + '</b>'.repeat(120_000)],
    ['end tags', title + '</b>'.repeat(250_000)],
    ['attributes', `${title}<meta ${'a=b '.repeat(250_000)}>`],
    ['comment', `${title}<!--${'<!--'.repeat(250_000)}`],
    ['entities', `<title>T</title><meta name=description content="${'&amp;&bogus;'.repeat(80_000)}">`],
    ['metas', title + Array.from({ length: 30_000 }, (_, i) => `<meta name=m${i} content=x>`).join('')],
    ['json', `${title}<script type="application/ld+json">${'['.repeat(400_000)}</script>`],
    ['jsons', title + '<script type="application/ld+json">[1</script>'.repeat(20_000)],
    ['long', `<title>T ${'x'.repeat(900_000)}`],
    ['nul', `<title>T\u0000</title>${og('description', 'a\u0000b\u0007c')}`],
  ]
  for (const [name, page] of pages) {
    const card = await fetch(site.page('/hostile', page))
    assert.match(card?.title ?? '', /^T/, name)
    assert.ok((card?.title.length ?? 0) <= 500, name)
    assert.doesNotMatch(`${card?.title}${card?.description}`, /\p{Cc}/u, name)
  }
})
