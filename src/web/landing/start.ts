import { c, query } from '../../platform/database/index.ts'
import { operation, type Context } from '../../platform/http/index.ts'
import type { Viewer } from '../../core/viewer.ts'
import { html, phrase, type Html, type Page } from '../../platform/ui/index.ts'
import { showLanding, showProfile, showPublicly, STYLE } from '../public/index.ts'
import { requiredStep } from '../../auth/sessions/index.ts'
import { registrationsMode } from '../../platform/settings/index.ts'
import type { Translator } from '../../platform/i18n/index.ts'

const findFirst = query('web/landing/first_account', {}, { username: c.text })

/**
 * Paths of Mastodon's web client, which this server does not have; other clients and e-mails link
 * to them.
 */
const CLIENT_PATHS = ['/home', '/notifications', '/explore', '/public', '/public/local', '/public/remote', '/directory']

/** Describes this server. In single-user mode it redirects to the profile. */
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
    const first = context.config.singleUserMode ? await context.database.one(findFirst, {}) : undefined
    if (first) return showProfile(context, `@${first.username}`, { tab: 'posts', max_id: undefined })
    return showPublicly(context, 'site', async ({ visit: { viewer }, speaker }) =>
      viewer ? homePage(context, speaker, viewer) : landingPage(context, speaker),
    )
  },
})

/** The same for all visitors, so that it can be cached. */
async function landingPage(context: Context, speaker: Translator): Promise<Page> {
  const { settings, config } = context
  const { t: say } = speaker
  const description = settings.get('site_short_description')
  const { body, shown } = await showLanding(context, speaker)
  const intro = html`<section class="card">
    <h1>${settings.get('site_title')}</h1>
    ${description === '' ? html`<p>${phrase(say('start.about'), { domain: html`<strong>${config.localDomain}</strong>` })}</p>` : html`<p>${description}</p>`}
    ${registration(registrationsMode(context), speaker)}
    <p><a class="button plain" href="/auth/sign_in">${say('sign_in.title')}</a></p>
    <p><a href="/about">${say('about.title')}</a> · <a href="/privacy-policy">${say('about.privacy')}</a></p>
  </section>`
  return { title: say('start.title'), head: STYLE, column: true, shown, body: [intro, body] }
}

const registration = (mode: string, { t: say }: Translator): Html =>
  mode === 'none'
    ? html`<p class="quiet">${say('sign_up.closed')}</p>`
    : html`<p>
        <a class="button primary" href="/auth/sign_up">${say(mode === 'open' ? 'sign_up.title' : 'sign_up.ask')}</a>
      </p>`

function homePage({ config }: Context, { t: say }: Translator, viewer: Viewer): Page {
  const place = requiredStep(viewer)
  const ready = phrase(say('start.ready'), { domain: html`<strong>${config.localDomain}</strong>` })
  return {
    title: say('start.welcome'),
    body: html`<h1>${say('start.welcome_name', { name: viewer.username })}</h1>
      ${place === undefined ? html`<p>${ready}</p>` : html`<p class="alert">${say('start.unusable')} <a href="${place}">${say('start.see_why')}</a></p>`}
      <ul class="links">
        <li><a href="/@${viewer.username}">${say('start.profile')}</a></li>
        <li><a href="/auth/edit">${say('account.title')}</a></li>
        <li><a href="/oauth/authorized_applications">${say('applications.title')}</a></li>
      </ul>`,
  }
}
