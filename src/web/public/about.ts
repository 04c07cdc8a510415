import { recordTermsSeen } from '../../auth/account_settings/index.ts'
import { ApiError } from '../../core/errors.ts'
import type { Viewer } from '../../core/viewer.ts'
import { operation, param, type Context } from '../../platform/http/index.ts'
import {
  extendedDescription,
  hasTerms,
  MILLRACE_VERSION,
  privacyPolicy,
  privacyPolicyChangedAt,
  publishedBlocks,
  renderRules,
  statistics,
  termsInForce,
  termsOf,
} from '../../instance/index.ts'
import { day, html, Html, phrase, type Content, type Page } from '../../platform/ui/index.ts'
import { registrationsMode } from '../../platform/settings/index.ts'
import { languageName, type Translator } from '../../platform/i18n/index.ts'
import { PUBLIC_PAGE } from './declaration.ts'
import { siteCard } from './open_graph.ts'
import { showPublicly, type Visitor } from './public_page.ts'

/** Pages about the server, which are public even if everything else is closed. */
export const aboutPages = [
  operation({
    ...PUBLIC_PAGE,
    path: '/about',
    summary: 'Show the about page',
    params: {},
    handle: (_, context) =>
      showPublicly(context, 'site', ({ translator, viewer }) => aboutPage(context, translator, viewer)),
  }),
  operation({
    ...PUBLIC_PAGE,
    path: '/privacy-policy',
    summary: 'Show the page with the privacy policy',
    params: {},
    handle: (_, context) => showPublicly(context, 'site', ({ translator }) => privacyPage(context, translator)),
  }),
  operation({
    ...PUBLIC_PAGE,
    path: '/terms-of-service',
    summary: 'Show the page with the terms of service in force',
    params: {},
    handle: (_, context) => showPublicly(context, 'site', visitor => termsPage(context, visitor)),
  }),
  operation({
    ...PUBLIC_PAGE,
    path: '/terms-of-service/:date',
    summary: 'Show the page with the terms of service of an effective date',
    params: { date: param.date({ invalid: 'notFound' }) },
    handle: ({ date }, context) => showPublicly(context, 'site', visitor => termsPage(context, visitor, date)),
  }),
]

async function aboutPage(context: Context, translator: Translator, viewer: Viewer | null): Promise<Page> {
  const { settings } = context
  const { t } = translator
  const [description, rules, withTerms, facts, blocks] = await Promise.all([
    extendedDescription(context),
    renderRules(context),
    hasTerms(context),
    factsHtml(context, translator),
    publishedBlocks(context, viewer),
  ])
  return {
    title: t('about.title'),
    head: await siteCard(context, settings.get('site_title'), '/about'),
    body: [
      html`<h1>${settings.get('site_title')}</h1>
        <p>${settings.get('site_short_description')}</p>`,
      new Html(description.content),
      facts,
      rulesHtml(rules, translator),
      contactHtml(context, translator),
      blocksHtml(blocks, translator),
      html`<ul class="links">
        <li><a href="/privacy-policy">${t('about.privacy')}</a></li>
        ${withTerms && html`<li><a href="/terms-of-service">${t('about.terms')}</a></li>`}
      </ul>`,
    ],
  }
}

/** Facts about the server: registrations, number of users, software. */
async function factsHtml(context: Context, { t, language }: Translator): Promise<Content> {
  const figures = await statistics(context)()
  const values = {
    people: figures.user_count,
    posts: figures.status_count,
    active: figures.active_month,
  }
  const mode = registrationsMode(context)
  const invitation = mode !== 'none' && html` <a href="/auth/sign_up">${t('sign_up.title')}</a>`
  return html`<p>${t(`about.registrations.${mode}`)}${invitation}</p>
    <p class="quiet">
      ${t('start.figures', values)}<br />
      ${t('about.language', { language: languageName(context.config.defaultLocale, language) })}<br />
      ${t('about.software', { domain: context.config.localDomain, version: MILLRACE_VERSION })}
    </p>`
}

/** The rules in the reader's language, where translated. */
export function rulesHtml(
  rules: Awaited<ReturnType<typeof renderRules>>,
  { t, language }: Pick<Translator, 't' | 'language'>,
): Content {
  if (rules.length === 0) return null
  const items = rules.map(({ text, hint, translations }) => {
    const translation = translations[language] ?? { text, hint }
    return html`<li>
      ${translation.text}${translation.hint !== '' && html`<br /><span class="quiet">${translation.hint}</span>`}
    </li>`
  })
  return html`<h2>${t('about.rules')}</h2>
    <ol>
      ${items}
    </ol>`
}

function contactHtml({ settings }: Context, { t }: Translator): Content {
  const [email, username] = [
    settings.get('site_contact_email'),
    settings.get('site_contact_username').replace(/^@/, ''),
  ]
  if (email === '' && username === '') return null
  return html`<h2>${t('about.contact')}</h2>
    <ul class="links">
      ${username !== '' && html`<li><a href="/@${username}">@${username}</a></li>`}
      ${email !== '' && html`<li><a href="mailto:${email}">${email}</a></li>`}
    </ul>`
}

/** The servers that are limited or blocked, as far as the visitor may know. */
function blocksHtml(blocks: Awaited<ReturnType<typeof publishedBlocks>>, { t }: Translator): Content {
  if (!blocks) return null
  if (blocks.length === 0)
    return html`<h2>${t('about.moderated')}</h2>
      <p>${t('about.moderated_none')}</p>`
  const meaning = (severity: string): string =>
    t(
      severity === 'suspend'
        ? 'about.severity.suspend'
        : severity === 'silence'
          ? 'about.severity.silence'
          : 'about.severity.noop',
    )
  return html`<h2>${t('about.moderated')}</h2>
    <ul>
      ${blocks.map(
        ({ domain, severity, comment }) =>
          html`<li>
            <strong>${domain}</strong>:
            ${meaning(severity)}${comment !== null && html`<br /><span class="quiet">${comment}</span>`}
          </li>`,
      )}
    </ul>`
}

async function privacyPage(context: Context, translator: Translator): Promise<Page> {
  const [{ content }, changed] = await Promise.all([privacyPolicy(context), privacyPolicyChangedAt(context)])
  const title = translator.t('about.privacy')
  const date = changed !== null && phrase(translator.t('about.changed'), { date: day(changed, translator) })
  return {
    title,
    head: await siteCard(context, title, '/privacy-policy'),
    body: html`<h1>${title}</h1>
      <p class="quiet">${date}</p>
      ${new Html(content)}`,
  }
}

/** The terms of service; for a signed-in user, records that they were seen. */
async function termsPage(context: Context, { translator, webSession }: Visitor, date?: string): Promise<Page> {
  const { t } = translator
  const terms = await (date === undefined ? termsInForce(context) : termsOf(context, date)).catch(asRouteNotFound)
  if (webSession.viewer) await recordTermsSeen(context.database, webSession.viewer.userId)
  const title = t('about.terms')
  const next = terms.succeeded_by
  const newer = next !== null && html`<a href="/terms-of-service/${next}">${t('about.newer')}</a>`
  return {
    title,
    head: await siteCard(context, title, `/terms-of-service/${terms.effective_date}`),
    body: html`<h1>${title}</h1>
      <p class="quiet">${phrase(t('about.from'), { date: day(terms.effective_date, translator) })}</p>
      ${newer !== false && html`<p>${phrase(t('about.succeeded'), { link: newer })}</p>`} ${new Html(terms.content)}`,
  }
}

/** Turns `notFound` into the error page of an unknown path. */
function asRouteNotFound(error: unknown): never {
  throw error instanceof ApiError && error.code === 'notFound' ? new ApiError('routeNotFound', { cause: error }) : error
}
