import type { Subscription } from 'rxjs'
import { compareIds, type Id } from '../../core/id.ts'
import { ApiError } from '../../core/errors.ts'
import { operation, param, Response, type Context } from '../../platform/http/index.ts'
import { rateLimitKey } from '../../platform/http/client_address.ts'
import type { Sink } from '../../platform/http/response.ts'
import { chooseLanguage, type TextLanguage, type Translator } from '../../platform/i18n/index.ts'
import { html, Html, type Content } from '../../platform/ui/index.ts'
import { perServer } from '../../platform/services.ts'
import { accessibleParts, readPublic } from '../../timelines/index.ts'
import { PUBLIC_PAGE } from './declaration.ts'
import type { ShownStatus } from './entities.ts'
import { isForSearch, PAGE_SIZE, readStatuses } from './feed.ts'
import { livePost, livePosts, type LivePost } from './live_posts.ts'

/** The path of the stream; `live.js` reads it from the page. */
const LIVE_PATH = '/live'

const HEARTBEAT_MS = 15_000
/** The limits of readers per process and per address. */
const MAX_READERS = 1000
const MAX_READERS_PER_ADDRESS = 20

/**
 * A list of posts that `live.js` extends.
 * @param isShown given on a page for search engines: the list and its extensions leave others out
 */
export const liveList = (
  statuses: readonly ShownStatus[],
  { t, language }: Translator,
  isShown?: (status: ShownStatus) => boolean,
): Content => [
  html`<div
    class="live"
    data-live="${LIVE_PATH}?lang=${language}${isShown && '&for_search=true'}"
    data-after="${statuses[0]?.id ?? ''}"
  >
    ${statuses.filter(isShown ?? (() => true)).map(status => new Html(livePost(status, language)))}
  </div>`,
  html`<p class="card quiet none">${t('feed.none')}</p>`,
]

export const LIVE_SCRIPT = '/assets/live.js'

/** Whether anybody may read the local timeline. */
export const isLivePublic = ({ settings }: Pick<Context, 'settings'>): boolean =>
  settings.get('local_live_feed_access') === 'public' && !settings.get('limited_federation_mode')

/** Counts the readers. */
const readers = perServer(() => {
  const byAddress = new Map<string, number>()
  let count = 0
  return {
    /** @throws ApiError tooManyRequests */
    enter(address: string): () => void {
      const key = rateLimitKey(address)
      const own = byAddress.get(key) ?? 0
      if (count >= MAX_READERS || own >= MAX_READERS_PER_ADDRESS) throw new ApiError('tooManyRequests')
      byAddress.set(key, own + 1)
      count += 1
      return () => {
        count -= 1
        const left = (byAddress.get(key) ?? 1) - 1
        if (left === 0) byAddress.delete(key)
        else byAddress.set(key, left)
      }
    },
  }
})

/**
 * The local timeline as server-sent events with HTML, for the site's own pages: clients use the
 * streaming API. An id is that of a status; a reader that connects again gets the posts since.
 */
export const showLive = operation({
  ...PUBLIC_PAGE,
  page: false,
  path: LIVE_PATH,
  summary: 'Stream new posts of this server to its own pages',
  params: {
    after: param.cursor({ description: 'the newest post that the page shows' }),
    lang: param.string({ default: '', description: 'the language of the page' }),
    for_search: param.boolean({
      default: false,
      description: 'without the posts of people who opted out of search engines',
    }),
  },
  returns: 'text/event-stream',
  handle({ after, lang, for_search: forSearch }, context) {
    if (!isLivePublic(context)) throw new ApiError('functionalUserRequired')
    const { request, config } = context
    const language = chooseLanguage(lang, request.header('accept-language'), config.defaultLocale)
    const since = request.header('last-event-id') || after
    const leave = readers(context).enter(request.address)
    return new Response(
      200,
      'text/event-stream; charset=utf-8',
      { open: sink => openStream(context, sink, { language, since, forSearch }, leave), discard: leave },
      { 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' },
    )
  },
})

const frameOf = ({ id, change, html: text = '' }: LivePost): string => {
  const data = text
    .split('\n')
    .map(line => `data: ${line}\n`)
    .join('')
  return change === 'deleted' ? `event: deleted\ndata: ${id}\n\n` : `event: ${change}\nid: ${id}\n${data}\n`
}

interface Reading {
  readonly language: TextLanguage
  /** The newest post that the reader knows. */
  readonly since: string | undefined
  readonly forSearch: boolean
}

function openStream(context: Context, sink: Sink, reading: Reading, leave: () => void): () => void {
  const subscriptions: Subscription[] = []
  /** The new posts that arrive while the missed ones are read; undefined afterwards. */
  let waiting: LivePost[] | undefined = []
  sink.write(':)\n\n')
  subscriptions.push(
    livePosts(context)(reading.language).subscribe(post => {
      if (reading.forSearch && !post.forSearch) return
      if (waiting) waiting.push(post)
      else sink.write(frameOf(post))
    }),
    context.settings.changed$.subscribe(() => {
      if (!isLivePublic(context)) sink.end()
    }),
  )
  const heartbeat = setInterval(() => sink.write(':thump\n\n'), HEARTBEAT_MS)
  heartbeat.unref()
  missedSince(context, reading).then(
    missed => {
      const sent = new Set(missed.map(post => post.id))
      for (const post of missed) sink.write(frameOf(post))
      for (const post of waiting ?? []) if (post.change !== 'created' || !sent.has(post.id)) sink.write(frameOf(post))
      waiting = undefined
    },
    () => sink.end(),
  )
  return () => {
    clearInterval(heartbeat)
    for (const subscription of subscriptions) subscription.unsubscribe()
    leave()
  }
}

/** The posts after a given one, oldest first; at most one page of the newest. */
async function missedSince(context: Context, { language, since, forSearch }: Reading): Promise<readonly LivePost[]> {
  if (since === undefined || !/^\d{1,19}$/.test(since)) return []
  const ids = await latestPosts(context, { since_id: since })
  const shown = await readStatuses(context, { viewer: null }, ids)
  const found = isForSearch(context)
  return shown
    .toSorted((a, b) => compareIds(a.id, b.id))
    .map((status): LivePost => {
      const forSearch = found(status)
      return { id: status.id, change: 'created', html: livePost(status, language), forSearch }
    })
    .filter(post => post.forSearch || !forSearch)
}

/** The newest posts of this server, as an anonymous visitor sees them. */
export const latestPosts = async (
  context: Context,
  cut: { readonly since_id?: string; readonly max_id?: string | undefined } = {},
): Promise<readonly Id[]> => {
  const parts = accessibleParts(context.settings, null, 'live', { local: true, remote: false })
  return (await readPublic(context, null, parts, false, { limit: PAGE_SIZE, max_id: undefined, ...cut })).ids
}
