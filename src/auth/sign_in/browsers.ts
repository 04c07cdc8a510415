import { requireSignedIn } from '../account_settings/index.ts'
import { ApiError } from '../../core/errors.ts'
import { operation, param, redirect, type Context } from '../../platform/http/index.ts'
import type { Viewer } from '../../core/viewer.ts'
import { CSRF_PARAMETER, form, html, submit, type Html } from '../../platform/ui/index.ts'
import { describeBrowser, endSessionOf, listSessions, timeOf, type WebSession } from '../sessions/index.ts'
import type { Translator } from '../../platform/i18n/index.ts'

/** The display name of a browser. */
export function nameBrowser(userAgent: string, { t: say }: Translator): string {
  const { browser, system } = describeBrowser(userAgent)
  if (browser === undefined) return system ?? say('browser.unknown')
  return system === undefined ? browser : say('browser.on', { browser, system })
}

/** The user's browser sessions, each with a button to end it. */
export async function browserList({ database }: Context, visit: WebSession, viewer: Viewer): Promise<Html> {
  const { speaker } = visit
  const { t: say } = speaker
  const sessions = await listSessions(database, viewer.userId)
  const csrfToken = visit.csrfToken()
  const entries = sessions.map(session => {
    const [since, used, address] = [timeOf(session.created_at), timeOf(session.updated_at), session.ip ?? '?']
    const action = `/settings/sessions/${session.id}`
    const button =
      session.id === visit.session?.id
        ? html`<p class="quiet">${say('sessions.this_one')}</p>`
        : form({ action, method: 'delete', csrfToken }, submit(say('sessions.end'), 'danger'))
    return html`<li class="entry">
      <p><strong>${nameBrowser(session.user_agent, speaker)}</strong></p>
      <p class="quiet">${say('sessions.used', { since, used, address })}</p>
      ${button}
    </li>`
  })
  return html`<h2>${say('sessions.title')}</h2>
    <p>${say('sessions.intro')}</p>
    <ul class="entries">
      ${entries}
    </ul>
    <p><a href="/settings/login_activities">${say('sessions.history')}</a></p>`
}

/** Ends one of the user's browser sessions. */
export const endBrowser = operation({
  method: 'DELETE',
  path: '/settings/sessions/:id',
  summary: 'Sign out a browser',
  auth: 'public',
  scopes: [],
  page: true,
  params: { id: param.id(), [CSRF_PARAMETER]: param.string({ optional: true }) },
  returns: 'redirect',
  handle({ id, ...form }, context) {
    return requireSignedIn(context, { form }, async (visit, viewer) => {
      if (!(await endSessionOf(context.database, viewer.userId, id))) throw new ApiError('notFound')
      visit.flash(visit.speaker.t('sessions.ended'))
      return visit.answer(redirect('/auth/edit'))
    })
  },
})
