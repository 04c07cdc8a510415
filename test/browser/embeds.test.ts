import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { test, type Test } from 'tap'
import { CHROMIUM, openWindow, startChromium } from '../support/chromium.ts'
import { person } from '../support/people.ts'
import { startServer } from '../support/server.ts'

/** Where Chromium is missing, the tests say that they were left out. */
const WITHOUT = CHROMIUM === undefined ? { skip: 'there is no Chromium' } : {}

/** Another site with one page; its address. */
async function site(t: Test, text: string): Promise<string> {
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8').end(text)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const address = server.address()
  assert.ok(typeof address === 'object' && address)
  return `http://127.0.0.1:${address.port}/`
}

test('posts on another site are frames as high as what they show, also for scripts of Mastodon', WITHOUT, async t => {
  const server = await startServer(t)
  const alice = await person(server, 'alice')
  t.after(() => alice.close())
  const url = `${server.url}/@${alice.username}/${(await alice.postStatus('words '.repeat(80))).id}`
  const { html } = (await alice.get('/api/oembed', { url })).json as { html: string }
  // A script that knows frames by ids asks once, and hears of later changes.
  const page = `<!doctype html><title>Blog</title>${html}
    <blockquote class="mastodon-embed" id="foreign" data-embed-url="http://far.example/@a/1/embed">of another server</blockquote>
    <iframe class="mastodon-embed" id="classed" src="${url}/embed" width="400"></iframe>
    <iframe id="plain" src="${url}/embed" width="500"></iframe>
    <script>
      const heights = []
      const frame = document.querySelector('#plain')
      addEventListener('message', ({ source, data }) => {
        if (source === frame.contentWindow && data.id === 7) heights.push(data.height)
      })
      frame.addEventListener('load', () => frame.contentWindow.postMessage({ type: 'setHeight', id: 7 }, '*'))
    </script>`
  const { page: tab, errors } = await openWindow(await startChromium(t), server)
  await tab.goto(await site(t, page))
  await tab.waitForFunction("document.querySelectorAll('iframe').length === 3 && heights.length > 0")
  assert.equal(await tab.evaluate("document.querySelector('#foreign').tagName"), 'BLOCKQUOTE')
  await tab.waitForFunction("/^\\d+px$/.test(document.querySelector('#classed').style.height)")
  await tab.waitForFunction("document.querySelector('iframe:not([id])').style.height !== '320px'")
  const [first = 0] = (await tab.evaluate('heights')) as number[]
  assert.ok(first > 100, String(first))
  // Chromium renders frames only where they are seen.
  await tab.evaluate("frame.width = '280'; frame.scrollIntoView()")
  await tab.waitForFunction(`heights.at(-1) > ${first}`)
  assert.deepEqual(errors, [])
})
