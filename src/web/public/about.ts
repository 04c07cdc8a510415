import { ApiError } from '../../core/errors.ts'
import { operation, param, type Context } from '../../platform/http/index.ts'
import {
  extendedDescription,
  hasTerms,
  MILLRACE_VERSION,
  privacyPolicy,
  privacyPolicyChangedAt,
  renderRules,
  statistics,
  termsInForce,
  termsOf,
} from '../../instance/index.ts'
import { html, Html, phrase, type Content, type Page } from '../../platform/ui/index.ts'
import { registrationsMode } from '../../platform/settings/index.ts'
import type { Translator } from '../../platform/i18n/index.ts'
import { PUBLIC_PAGE } from './declaration.ts'
import { day } from './dates.ts'
import { showPublicly } from './public_page.ts'

/** Pages about the server, which are public even if everything else is closed. */
export const aboutPages = [
  operation({
    ...PUBLIC_PAGE,
    path: ['/about', '/about/more'],
    summary: 'The about page',
    params: {},
    handle: (_, context) => showPublicly(context, 'site', ({ speaker }) => aboutPage(context, speaker)),
  }),
  operation({
    ...PUBLIC_PAGE,
    path: '/privacy-policy',
    summary: 'The privacy policy, as a page',
    params: {},
    handle: (_, context) => showPublicly(context, 'site', ({ speaker }) => privacyPage(context, speaker)),
  }),
  operation({
    ...PUBLIC_PAGE,
    path: '/terms-of-service',
    summary: 'The terms of service that are in force, as a page',
    params: {},
    handle: (_, context) => showPublicly(context, 'site', ({ speaker }) => termsPage(context, speaker)),
  }),
  operation({
    ...PUBLIC_PAGE,
    path: '/terms-of-service/:date',
    summary: 'The terms of service with an effective date, as a page',
    params: { date: param.date({ invalid: 'notFound' }) },
    handle: ({ date }, context) => showPublicly(context, 'site', ({ speaker }) => termsPage(context, speaker, date)),
  }),
]

async function aboutPage(context: Context, speaker: Translator): Promise<Page> {
  const { settings } = context
  const { t: say } = speaker
  const [description, rules, withTerms, facts] = await Promise.all([
    extendedDescription(context),
    renderRules(context),
    hasTerms(context),
    factsHtml(context, speaker),
  ])
  return {
    title: say('about.title'),
    body: [
      html`<h1>${settings.get('site_title')}</h1>
        <p>${settings.get('site_short_description')}</p>`,
      new Html(description.content),
      facts,
      rulesHtml(rules, speaker),
      contactHtml(context, speaker),
      html`<ul class="links">
        <li><a href="/privacy-policy">${say('about.privacy')}</a></li>
        ${withTerms && html`<li><a href="/terms-of-service">${say('about.terms')}</a></li>`}
      </ul>`,
    ],
  }
}

/** Facts about the server: registrations, number of users, software. */
async function factsHtml(context: Context, { t: say, language }: Translator): Promise<Content> {
  const figures = await statistics(context)()
  const count = new Intl.NumberFormat(language)
  const values = {
    people: count.format(figures.user_count),
    posts: count.format(figures.status_count),
    active: count.format(figures.active_month),
  }
  const mode = registrationsMode(context)
  const invitation = mode !== 'none' && html` <a href="/auth/sign_up">${say('sign_up.title')}</a>`
  return html`<p>${say(`about.registrations.${mode}`)}${invitation}</p>
    <p class="quiet">
      ${say('start.figures', values)}<br />
      ${say('about.software', { domain: context.config.localDomain, version: MILLRACE_VERSION })}
    </p>`
}

/** The rules in the reader's language, where translated. */
export function rulesHtml(rules: Awaited<ReturnType<typeof renderRules>>, { t: say, language }: Translator): Content {
  if (rules.length === 0) return null
  const items = rules.map(({ text, hint, translations }) => {
    const said = translations[language] ?? { text, hint }
    return html`<li>${said.text}${said.hint !== '' && html`<br /><span class="quiet">${said.hint}</span>`}</li>`
  })
  return html`<h2>${say('about.rules')}</h2>
    <ol>
      ${items}
    </ol>`
}

function contactHtml({ settings }: Context, { t: say }: Translator): Content {
  const [email, username] = [
    settings.get('site_contact_email'),
    settings.get('site_contact_username').replace(/^@/, ''),
  ]
  if (email === '' && username === '') return null
  return html`<h2>${say('about.contact')}</h2>
    <ul class="links">
      ${username !== '' && html`<li><a href="/@${username}">@${username}</a></li>`}
      ${email !== '' && html`<li><a href="mailto:${email}">${email}</a></li>`}
    </ul>`
}

async function privacyPage(context: Context, speaker: Translator): Promise<Page> {
  const [{ content }, changed] = await Promise.all([privacyPolicy(context), privacyPolicyChangedAt(context)])
  const title = speaker.t('about.privacy')
  const date = changed !== null && phrase(speaker.t('about.changed'), { date: day(changed, speaker) })
  return {
    title,
    body: html`<h1>${title}</h1>
      <p class="quiet">${date}</p>
      ${new Html(content)}`,
  }
}

async function termsPage(context: Context, speaker: Translator, date?: string): Promise<Page> {
  const { t: say } = speaker
  const terms = await (date === undefined ? termsInForce(context) : termsOf(context, date)).catch(asRouteNotFound)
  const title = say('about.terms')
  const next = terms.succeeded_by
  const newer = next !== null && html`<a href="/terms-of-service/${next}">${say('about.newer')}</a>`
  return {
    title,
    body: html`<h1>${title}</h1>
      <p class="quiet">${phrase(say('about.from'), { date: day(terms.effective_date, speaker) })}</p>
      ${newer !== false && html`<p>${phrase(say('about.succeeded'), { link: newer })}</p>`} ${new Html(terms.content)}`,
  }
}

/** Turns `notFound` into the error page of an unknown path. */
function asRouteNotFound(error: unknown): never {
  throw error instanceof ApiError && error.code === 'notFound' ? new ApiError('routeNotFound', { cause: error }) : error
}
