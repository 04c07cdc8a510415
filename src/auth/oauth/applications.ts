import { settingsPage } from '../account_settings/index.ts'
import { c, query } from '../../platform/database/index.ts'
import { ApiError } from '../../core/errors.ts'
import { empty, operation, param, redirect, type Request } from '../../platform/http/index.ts'
import type { Id } from '../../core/id.ts'
import { revokeGrants } from './revoke_tokens.ts'
import { CSRF_PARAMETER, form, html, submit, type Html } from '../../platform/ui/index.ts'
import { openWebSession } from '../sessions/index.ts'
import type { Translator } from '../../platform/i18n/index.ts'

const listApplications = query(
  'auth/oauth/authorized_applications',
  { user: c.id },
  {
    id: c.id,
    name: c.text,
    website: c.nullable(c.text),
    scopes: c.nullable(c.texts),
    created_at: c.nullable(c.timestamp),
    last_used_at: c.nullable(c.timestamp),
  },
)

/** An application with tokens for the user. */
interface Held {
  readonly id: Id
  readonly name: string
  readonly scopes: readonly string[] | null
  readonly created_at: Date | null
  readonly last_used_at: Date | null
}

const path = '/oauth/authorized_applications'

const wantsJson = (request: Request): boolean => /\bapplication\/json\b/.test(request.header('accept'))

/** Available in any account state. */
export const showAuthorizedApplications = operation({
  method: 'GET',
  path,
  summary: 'List the applications that the user has authorized',
  auth: 'public',
  scopes: [],
  page: true,
  params: {},
  returns: 'text/html',
  async handle(_, context) {
    const webSession = await openWebSession(context)
    if (!webSession.viewer) {
      webSession.remember(path)
      return webSession.respond(redirect('/auth/sign_in'))
    }
    const held = await context.database.run(listApplications, { user: webSession.viewer.userId })
    if (wantsJson(context.request)) return held.map(({ id, name, created_at }) => ({ id, name, created_at }))
    const csrfToken = webSession.csrfToken()
    const { translator } = webSession
    const body = html`${held.length === 0 && html`<p>${translator.t('applications.none')}</p>`}
      <ul class="entries">
        ${held.map(application => entry(application, translator, csrfToken))}
      </ul>`
    return settingsPage(context, webSession, webSession.viewer, {
      title: translator.t('applications.title'),
      body,
      navigationPath: path,
    })
  },
})

/** Revokes all tokens and codes of an application. Succeeds also if there are none. */
export const revokeApplication = operation({
  method: 'DELETE',
  path: `${path}/:id`,
  summary: 'Withdraw the authorization of an application',
  auth: 'public',
  scopes: [],
  page: true,
  params: { id: param.id(), [CSRF_PARAMETER]: param.string({ optional: true }) },
  returns: 'redirect',
  async handle(parameters, context) {
    const webSession = await openWebSession(context)
    webSession.requireCsrf(parameters[CSRF_PARAMETER])
    const { viewer } = webSession
    if (!viewer) return redirect('/auth/sign_in')
    if (viewer.suspended) throw new ApiError('forbidden')
    const { id } = parameters
    await context.database.transaction(transaction => revokeGrants(transaction, viewer.userId, id))
    if (wantsJson(context.request)) return empty(204)
    webSession.flash(webSession.translator.t('applications.revoked'))
    return webSession.respond(redirect(path))
  },
})

const day = (date: Date | null): string | undefined => date?.toISOString().slice(0, 10)

function entry(application: Held, { t }: Translator, csrfToken: string): Html {
  const since = day(application.created_at) ?? '?'
  const used = day(application.last_used_at) ?? t('applications.never')
  return html`<li class="entry">
    <p><strong>${application.name}</strong></p>
    <p class="quiet">${t('applications.used', { since, used })}</p>
    <p class="quiet code">${(application.scopes ?? []).join(' ')}</p>
    ${form({ action: `${path}/${application.id}`, method: 'delete', csrfToken }, submit(t('applications.revoke'), 'danger'))}
  </li>`
}
