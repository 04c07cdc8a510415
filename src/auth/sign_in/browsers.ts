import { signedInForm } from '../account_settings/index.ts'
import { ApiError } from '../../core/errors.ts'
import { param, redirect, type Context } from '../../platform/http/index.ts'
import type { Viewer } from '../../core/viewer.ts'
import { form, html, submit, timeText, type Html } from '../../platform/ui/index.ts'
import { describeBrowser, endSessionOf, listSessions, type WebSession } from '../sessions/index.ts'
import type { Translator } from '../../platform/i18n/index.ts'

/** The display name of a browser. */
export function nameBrowser(userAgent: string, { t }: Translator): string {
  const { browser, system } = describeBrowser(userAgent)
  if (browser === undefined) return system ?? t('browser.unknown')
  return system === undefined ? browser : t('browser.on', { browser, system })
}

/** The user's browser sessions, each with a button to end it. */
export async function browserList({ database }: Context, webSession: WebSession, viewer: Viewer): Promise<Html> {
  const { translator } = webSession
  const { t } = translator
  const sessions = await listSessions(database, viewer.userId)
  const csrfToken = webSession.csrfToken()
  const entries = sessions.map(session => {
    const [since, used, address] = [
      timeText(session.created_at, translator),
      timeText(session.updated_at, translator),
      session.ip ?? '?',
    ]
    const action = `/settings/sessions/${session.id}`
    const button =
      session.id === webSession.session?.id
        ? html`<p class="quiet">${t('sessions.this_one')}</p>`
        : form({ action, method: 'delete', csrfToken }, submit(t('sessions.end'), 'danger'))
    return html`<li class="entry">
      <p><strong>${nameBrowser(session.user_agent, translator)}</strong></p>
      <p class="quiet">${t('sessions.used', { since, used, address })}</p>
      ${button}
    </li>`
  })
  return html`<h2>${t('sessions.title')}</h2>
    <p>${t('sessions.intro')}</p>
    <ul class="entries">
      ${entries}
    </ul>
    <p><a href="/settings/login_activities">${t('sessions.history')}</a></p>`
}

/** Ends one of the user's browser sessions. */
export const endBrowser = signedInForm({
  method: 'DELETE',
  path: '/settings/sessions/:id',
  summary: 'Sign out a browser',
  params: { id: param.id() },
  async act({ id }, context, webSession, viewer) {
    if (!(await endSessionOf(context.database, viewer.userId, id))) throw new ApiError('notFound')
    webSession.flash(webSession.translator.t('sessions.ended'))
    return webSession.respond(redirect('/auth/edit'))
  },
})
