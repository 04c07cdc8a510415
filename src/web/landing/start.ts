import { c, query } from '../../platform/database/index.ts'
import { operation, type Context } from '../../platform/http/index.ts'
import { hasPermission, PERMISSION_CATEGORIES } from '../../core/permissions.ts'
import type { Viewer } from '../../core/viewer.ts'
import { html, phrase, type Html, type Page } from '../../platform/ui/index.ts'
import { createWebClient } from '../client/index.ts'
import { showFacts, showLanding, showProfile, showPublicly, robots, siteCard, STYLE } from '../public/index.ts'
import { newTermsPage } from '../../auth/account_settings/index.ts'
import { closedMessage } from '../../auth/sign_up/index.ts'
import { requiredStep } from '../../auth/sessions/index.ts'
import { registrationsMode } from '../../platform/settings/index.ts'
import type { Translator } from '../../platform/i18n/index.ts'

const findFirst = query('web/landing/first_account', {}, { username: c.text })

/**
 * Paths of Mastodon's web client, which this server does not have; other clients and e-mails link
 * to them.
 */
const CLIENT_PATHS = ['/home', '/notifications', '/explore', '/public/remote', '/directory']

/**
 * Describes this server, or shows the operator's web client. In single-user mode it shows the first
 * account.
 */
export const showStart = operation({
  method: 'GET',
  path: ['/', '/start', ...CLIENT_PATHS],
  summary: 'Start page',
  auth: 'public',
  scopes: [],
  page: true,
  cache: 'handler',
  params: {},
  returns: 'text/html',
  async handle(_, context) {
    const client = createWebClient(context)
    if (client) return client.startPage()
    const first = context.config.singleUserMode ? await context.database.one(findFirst, {}) : undefined
    if (first) return showProfile(context, `@${first.username}`, { tab: 'posts', max_id: undefined })
    return showPublicly(context, 'site', async ({ webSession, translator }) => {
      const { viewer } = webSession
      if (!viewer) return landingPage(context, translator)
      return (await newTermsPage(context, webSession, viewer)) ?? homePage(context, translator, viewer)
    })
  },
})

/** The same for all visitors, so that it can be cached. */
async function landingPage(context: Context, translator: Translator): Promise<Page> {
  const { settings, config } = context
  const { t } = translator
  const description = settings.get('site_short_description')
  const [{ body, shown, scripts = [] }, facts] = await Promise.all([
    showLanding(context, translator),
    showFacts(context, translator),
  ])
  const intro = html`<section class="card">
    <h1>${settings.get('site_title')}</h1>
    ${description === '' ? html`<p>${phrase(t('start.about'), { domain: html`<strong>${config.localDomain}</strong>` })}</p>` : html`<p>${description}</p>`}
    ${facts} ${registration(context, translator)}
    <p><a class="button plain" href="/auth/sign_in">${t('sign_in.title')}</a></p>
    <p><a href="/about">${t('about.title')}</a> · <a href="/privacy-policy">${t('about.privacy')}</a></p>
  </section>`
  const about = t('start.about', { domain: config.localDomain })
  const card = await siteCard(context, settings.get('site_title'), '/', description === '' ? about : undefined)
  const head = [STYLE, robots({ noindex: settings.get('noindex') }), card]
  return { title: t('start.title'), head, column: true, fileOrigins: shown, scripts, body: [intro, body] }
}

function registration(context: Context, translator: Translator): Html {
  const mode = registrationsMode(context)
  if (mode === 'none') return html`<div class="quiet">${closedMessage(context, translator)}</div>`
  return html`<p>
    <a class="button primary" href="/auth/sign_up"
      >${translator.t(mode === 'open' ? 'sign_up.title' : 'sign_up.ask')}</a
    >
  </p>`
}

/** The permissions that open a page for the staff. */
const STAFF = [...PERMISSION_CATEGORIES.moderation, ...PERMISSION_CATEGORIES.administration, 'view_devops'] as const

const isStaff = (viewer: Viewer): boolean =>
  requiredStep(viewer) === undefined && STAFF.some(name => name !== 'view_feeds' && hasPermission(viewer, name))

function homePage({ config }: Context, { t }: Translator, viewer: Viewer): Page {
  const place = requiredStep(viewer)
  const ready = phrase(t('start.ready'), { domain: html`<strong>${config.localDomain}</strong>` })
  return {
    title: t('start.welcome'),
    body: html`<h1>${t('start.welcome_name', { name: viewer.username })}</h1>
      ${place === undefined ? html`<p>${ready}</p>` : html`<p class="alert">${t('start.unusable')} <a href="${place}">${t('start.see_why')}</a></p>`}
      <ul class="links">
        ${place === undefined && html`<li><a href="/share">${t('share.title')}</a></li>`}
        <li><a href="/@${viewer.username}">${t('start.profile')}</a></li>
        <li><a href="/settings/profile">${t('start.settings')}</a></li>
        ${isStaff(viewer) && html`<li><a href="/admin">${t('start.staff')}</a></li>`}
        <li><a href="/oauth/authorized_applications">${t('applications.title')}</a></li>
      </ul>`,
  }
}
