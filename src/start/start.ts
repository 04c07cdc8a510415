import { operation, type Answer, type Context } from '../http/index.ts'
import type { Viewer } from '../oauth/token.ts'
import { html, pageAnswer, phrase, type Html } from '../pages/index.ts'
import { openVisit, placeOf, type Visit } from '../sessions/index.ts'
import type { Speaker } from '../texts/index.ts'

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
    if (visit.viewer)
      return pageAnswer(context, visit, {
        title: visit.speaker.say('start.welcome'),
        body: homeOf(context, visit, visit.viewer),
      })
    return landingPage(context, visit.speaker)
  },
})

/** The same for all visitors, so that it can be kept for a while. */
function landingPage(context: Context, speaker: Speaker): Answer {
  const { settings, config } = context
  const mode = settings.get('registrations_mode')
  const { say } = speaker
  const description = settings.get('site_short_description')
  const body = html`<h1>${settings.get('site_title')}</h1>
    ${description === '' ? html`<p>${phrase(say('start.about'), { domain: html`<strong>${config.localDomain}</strong>` })}</p>` : html`<p>${description}</p>`}
    ${registration(mode, speaker)}
    <p><a class="button plain" href="/auth/sign_in">${say('sign_in.title')}</a></p>`
  return pageAnswer(context, undefined, {
    title: say('start.title'),
    body,
    speaker,
    headers: { 'Cache-Control': `max-age=15, public, ${STALE}`, Vary: 'Accept, Accept-Language, Cookie' },
  })
}

const registration = (mode: string, { say }: Speaker): Html =>
  mode === 'none'
    ? html`<p class="quiet">${say('sign_up.closed')}</p>`
    : html`<p>
        <a class="button primary" href="/auth/sign_up">${say(mode === 'open' ? 'sign_up.title' : 'sign_up.ask')}</a>
      </p>`

function homeOf({ config }: Context, visit: Visit, viewer: Viewer): Html {
  const { say } = visit.speaker
  const place = placeOf(viewer)
  return html`<h1>${say('start.welcome_name', { name: viewer.username })}</h1>
    ${place === undefined ? html`<p>${phrase(say('start.ready'), { domain: html`<strong>${config.localDomain}</strong>` })}</p>` : html`<p class="alert">${say('start.unusable')} <a href="${place}">${say('start.see_why')}</a></p>`}
    <ul class="links">
      <li><a href="/auth/edit">${say('account.title')}</a></li>
      <li><a href="/oauth/authorized_applications">${say('applications.title')}</a></li>
    </ul>`
}
