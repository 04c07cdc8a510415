import type { Context } from '../../platform/http/index.ts'
import { extendedDescription, renderRules, sitePicture, statistics } from '../../instance/index.ts'
import { html, Html, type Content } from '../../platform/ui/index.ts'
import type { Services } from '../../platform/services.ts'
import type { Translator } from '../../platform/i18n/index.ts'
import { findTrendingStatuses, findTrendingTags } from '../../timelines/trends/index.ts'
import { rulesHtml } from './about.ts'
import { parseStatus, parseTag, type ShownStatus } from './entities.ts'
import { isForSearch, originsOfAll, PAGE_SIZE, readStatuses } from './feed.ts'
import { isLivePublic, latestPosts, LIVE_SCRIPT, liveList } from './live.ts'
import { signInPrompt } from './sign_in_prompt.ts'
import { statusArticle } from './status_html.ts'

/** The content of the start page below the server's name. */
export interface Landing {
  readonly body: Content
  /** The origins of the pictures and videos shown. */
  readonly shown: readonly string[]
  readonly scripts?: readonly string[]
}

const MAX_TRENDS = 10

type Show = (context: Context, translator: Translator) => Promise<Landing>

const LANDINGS: Readonly<Record<string, Show>> = {
  trends: showTrends,
  overview: showLatest,
  about: context => showAbout(context),
  local_feed: showLatest,
}

/** The content chosen by the setting `landing_page`; the same for all visitors. */
export async function showLanding(context: Context, translator: Translator): Promise<Landing> {
  const show = LANDINGS[context.settings.get('landing_page')] ?? showTrends
  return show({ ...context, viewer: null, token: null }, translator)
}

const feed = (title: string, statuses: readonly ShownStatus[], translator: Translator): Landing => ({
  body: [html`<h2>${title}</h2>`, statuses.map(status => statusArticle(status, translator))],
  shown: originsOfAll(statuses),
})

/** Describes the server: picture, statistics, rules. The same for all visitors. */
export async function showFacts(context: Context, { t, language }: Translator): Promise<Content> {
  const [figures, rules, picture] = await Promise.all([
    statistics(context)(),
    renderRules(context),
    sitePicture(context, 'thumbnail'),
  ])
  const values = {
    people: figures.user_count,
    posts: figures.status_count,
    active: figures.active_month,
  }
  const list =
    rules.length > 0 &&
    html`<details class="rules">
      <summary>${t('landing.rules', { count: rules.length })}</summary>
      ${rulesHtml(rules, { t, language })}
    </details>`
  return [
    picture &&
      html`<img
        class="banner"
        src="${picture}"
        alt="${context.settings.get('thumbnail_description')}"
        width="1200"
        height="630"
      />`,
    html`<p class="quiet">${t('start.figures', values)}</p>`,
    list,
  ]
}

async function showTrends(context: Context, translator: Translator): Promise<Landing> {
  const { settings } = context
  // In limited federation mode posts are for members.
  if (!settings.get('trends') || settings.get('limited_federation_mode')) return showLatest(context, translator)
  const undecided = settings.get('trendable_by_default')
  const selection = { languages: [translator.language], undecided, limit: MAX_TRENDS, offset: 0 }
  const [tags, posts] = await Promise.all([
    findTrendingTags(context, selection),
    findTrendingStatuses(context, selection),
  ])
  const names = tags.keys.flatMap(key => tags.entities.get(key) ?? []).map(parseTag)
  const trending = posts.keys.flatMap(key => posts.entities.get(key) ?? []).map(parseStatus)
  const statuses = trending.filter(isForSearch(context))
  // When nothing is trending yet, all posts are shown.
  if (names.length === 0 && statuses.length === 0) return showLatest(context, translator)
  const links = html`<p>${names.map(({ name, url }) => html`<a href="${url}">#${name}</a> `)}</p>`
  const shown = feed(translator.t('start.trends'), statuses, translator)
  return { ...shown, body: [shown.body, links] }
}

async function showAbout(services: Services): Promise<Landing> {
  const { content } = await extendedDescription(services)
  return { body: content === '' ? null : html`<section class="card">${new Html(content)}</section>`, shown: [] }
}

/** The latest posts, which the page's script keeps up to date. */
async function showLatest(context: Context, translator: Translator): Promise<Landing> {
  const title = html`<h2>${translator.t('start.latest')}</h2>`
  if (!isLivePublic(context)) return { body: [title, signInPrompt(translator)], shown: [] }
  const statuses = await readStatuses(context, { viewer: null }, await latestPosts(context))
  const older = html`<p class="turn"><a href="/public/local">${translator.t('feed.older')}</a></p>`
  return {
    body: [title, liveList(statuses, translator, isForSearch(context)), statuses.length === PAGE_SIZE && older],
    shown: originsOfAll(statuses),
    scripts: [LIVE_SCRIPT],
  }
}
