import { operation, param } from '../../platform/http/index.ts'
import { html } from '../../platform/ui/index.ts'
import { createWebClient } from '../client/index.ts'
import { PUBLIC_PAGE } from './declaration.ts'
import { feedHtml, originsOfAll, readFeed } from './feed.ts'
import { isLivePublic, latestPosts, LIVE_SCRIPT, liveList } from './live.ts'
import { notForSearch } from './open_graph.ts'
import { showPublicly } from './public_page.ts'
import { signInPrompt } from './sign_in_prompt.ts'
import { STYLE } from './style.ts'

const path = '/public/local'

/** The posts of this server, the newest as they happen; or the operator's web client. */
export const showLocalTimeline = operation({
  ...PUBLIC_PAGE,
  path: ['/public', path],
  summary: 'Show the page with the posts of this server',
  params: { max_id: param.cursor({ description: 'older than this' }) },
  async handle({ max_id }, context) {
    const client = createWebClient(context)
    if (client) return client.startPage()
    return showPublicly(context, 'site', async ({ translator }) => {
      const title = translator.t('landing.local_timeline')
      const heading = html`<h1>${title}</h1>`
      const common = { title, head: [STYLE, notForSearch], column: true } as const
      if (!isLivePublic(context)) return { ...common, body: [heading, signInPrompt(translator)] }
      const feed = await readFeed(context, { viewer: null }, { ids: await latestPosts(context, { max_id }) }, max_id)
      const shown = originsOfAll(feed.statuses)
      if (feed.isLater) return { ...common, fileOrigins: shown, body: [heading, feedHtml(feed, path, translator)] }
      const older =
        feed.below !== undefined &&
        html`<a rel="next" href="${path}?max_id=${feed.below}">${translator.t('feed.older')}</a>`
      return {
        ...common,
        fileOrigins: shown,
        scripts: [LIVE_SCRIPT],
        body: [heading, liveList(feed.statuses, translator), html`<nav class="turn">${older}</nav>`],
      }
    })
  },
})
