import { operation, type Answer, type Context } from '../http/index.ts'
import type { Viewer } from '../oauth/token.ts'
import { html, pageAnswer, type Html } from '../pages/index.ts'
import { openVisit, placeOf } from '../sessions/index.ts'

const STALE = 'stale-while-revalidate=30, stale-if-error=86400'

/** Says what this server is, and leads on. */
export const showStart = operation({
  method: 'GET',
  path: ['/', '/start'],
  summary: 'Start page',
  auth: 'public',
  scopes: [],
  page: true,
  cache: 'own',
  params: {},
  returns: 'text/html',
  async handle(_, context) {
    const visit = await openVisit(context)
    if (visit.viewer) return pageAnswer(context, visit, { title: 'Welcome', body: homeOf(context, visit.viewer) })
    return landingPage(context)
  },
})

/** The same for all visitors, so that it can be kept for a while. */
function landingPage(context: Context): Answer {
  const { settings, config } = context
  const mode = settings.get('registrations_mode')
  const description = settings.get('site_short_description')
  const body = html`<h1>${settings.get('site_title')}</h1>
    ${description === '' ? html`<p>A social server for <strong>${config.localDomain}</strong>. Use it with any application for Mastodon.</p>` : html`<p>${description}</p>`}
    ${registration(mode)}
    <p><a class="button plain" href="/auth/sign_in">Sign in</a></p>`
  return pageAnswer(context, undefined, {
    title: 'Start',
    body,
    headers: { 'Cache-Control': `max-age=15, public, ${STALE}`, Vary: 'Accept, Accept-Language, Cookie' },
  })
}

const registration = (mode: string): Html =>
  mode === 'none'
    ? html`<p class="quiet">Nobody can sign up on this server at the moment.</p>`
    : html`<p>
        <a class="button primary" href="/auth/sign_up"
          >${mode === 'open' ? 'Create an account' : 'Ask for an account'}</a
        >
      </p>`

function homeOf({ config }: Context, viewer: Viewer): Html {
  const place = placeOf(viewer)
  return html`<h1>Welcome, @${viewer.username}</h1>
    ${place === undefined ? html`<p>Your account is ready. Sign in with any application for Mastodon: the server’s name is <strong>${config.localDomain}</strong>.</p>` : html`<p class="alert">Your account cannot be used at the moment. <a href="${place}">See why</a></p>`}
    <ul class="links">
      <li><a href="/auth/edit">Account settings</a></li>
      <li><a href="/oauth/authorized_applications">Authorized applications</a></li>
    </ul>`
}
