import type { Context } from '../../platform/http/index.ts'
import { extendedDescription, renderRules, statistics } from '../../instance/index.ts'
import { html, Html, type Content } from '../../platform/ui/index.ts'
import type { Services } from '../../platform/services.ts'
import type { Translator } from '../../platform/i18n/index.ts'
import { accessibleParts, readPublic } from '../../timelines/index.ts'
import { findTrendingStatuses, findTrendingTags } from '../../timelines/trends/index.ts'
import { rulesHtml } from './about.ts'
import { parseStatus, parseTag, type ShownStatus } from './entities.ts'
import { originsOfAll, PAGE_SIZE, readStatuses } from './feed.ts'
import { signInPrompt, unlessSignInNeeded } from './sign_in_prompt.ts'
import { statusArticle } from './status_html.ts'

/** The content of the start page below the server's name. */
export interface Landing {
  readonly body: Content
  /** The origins of the pictures and videos shown. */
  readonly shown: readonly string[]
}

const MAX_TRENDS = 10

type Show = (context: Context, speaker: Translator) => Promise<Landing>

const LANDINGS: Readonly<Record<string, Show>> = {
  trends: showTrends,
  overview: showOverview,
  about: showAbout,
  local_feed: showLatest,
}

/** The content chosen by the setting `landing_page`; the same for all visitors. */
export async function showLanding(context: Context, speaker: Translator): Promise<Landing> {
  const show = LANDINGS[context.settings.get('landing_page')] ?? showTrends
  return show({ ...context, viewer: null, token: null }, speaker)
}

const feed = (title: string, statuses: readonly ShownStatus[], speaker: Translator): Landing => ({
  body: [html`<h2>${title}</h2>`, statuses.map(status => statusArticle(status, speaker))],
  shown: originsOfAll(statuses),
})

async function showTrends(context: Context, speaker: Translator): Promise<Landing> {
  const { settings } = context
  if (!settings.get('trends')) return { body: null, shown: [] }
  const undecided = settings.get('trendable_by_default')
  const wanted = { languages: [speaker.language], undecided, limit: MAX_TRENDS, offset: 0 }
  const [tags, posts] = await Promise.all([findTrendingTags(context, wanted), findTrendingStatuses(context, wanted)])
  const names = tags.keys.flatMap(key => tags.entities.get(key) ?? []).map(parseTag)
  const statuses = posts.keys.flatMap(key => posts.entities.get(key) ?? []).map(parseStatus)
  if (names.length === 0 && statuses.length === 0) return { body: null, shown: [] }
  const links = html`<p>${names.map(({ name, url }) => html`<a href="${url}">#${name}</a> `)}</p>`
  const shown = feed(speaker.t('start.trends'), statuses, speaker)
  return { ...shown, body: [shown.body, links] }
}

async function showOverview(context: Context, { t: say, language }: Translator): Promise<Landing> {
  const figures = await statistics(context)()
  const count = new Intl.NumberFormat(language)
  const text = say('start.figures', {
    people: count.format(figures.user_count),
    posts: count.format(figures.status_count),
    active: count.format(figures.active_month),
  })
  return { body: html`<p class="card">${text}</p>`, shown: [] }
}

async function showAbout(services: Services, speaker: Translator): Promise<Landing> {
  const [{ content }, rules] = await Promise.all([extendedDescription(services), renderRules(services)])
  const body = [new Html(content), rulesHtml(rules, speaker)]
  return { body: content !== '' || rules.length > 0 ? html`<section class="card">${body}</section>` : null, shown: [] }
}

async function showLatest(context: Context, speaker: Translator): Promise<Landing> {
  const title = speaker.t('start.latest')
  const ids = await unlessSignInNeeded(async () => {
    const parts = accessibleParts(context.settings, null, 'live', { local: true, remote: false })
    return readPublic(context, null, parts, false, { limit: PAGE_SIZE })
  })
  if (!ids) return { body: [html`<h2>${title}</h2>`, signInPrompt(speaker)], shown: [] }
  return feed(title, await readStatuses(context, { viewer: null }, ids), speaker)
}
