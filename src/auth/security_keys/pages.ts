import { settingsPage, signedInForm, signedInPage } from '../account_settings/index.ts'
import { ApiError } from '../../core/errors.ts'
import { countCodePoints } from '../../core/text/index.ts'
import type { Viewer } from '../../core/viewer.ts'
import { json, param, redirect, type Context, type Response } from '../../platform/http/index.ts'
import type { TextKey } from '../../platform/i18n/index.ts'
import { field, form, html, submit, timeText, type Html } from '../../platform/ui/index.ts'
import { hasCodes } from '../two_factor/index.ts'
import type { WebSession } from '../sessions/index.ts'
import { findKeys } from './keys.ts'
import { registerKey, removeKey, startRegistration } from './registration.ts'
import { keyProblem } from './key_problem.ts'
import { SCRIPT } from './script.ts'

const PATH = '/settings/security_keys'
const OVERVIEW = '/settings/two_factor_authentication_methods'
const OPTIONS = `${PATH}/options`
const MAX_NICKNAME = 100

/**
 * For users who recently confirmed the password and have one-time codes, which security keys
 * require; others are redirected to the overview.
 */
const rules = {
  functional: true,
  unsuspended: true,
  challenge: PATH,
  before: async ({ database }: Context, { userId }: Viewer): Promise<Response | undefined> =>
    (await hasCodes(database, userId)) ? undefined : redirect(OVERVIEW),
} as const

export const showKeys = signedInPage({
  path: [PATH, `${PATH}/new`],
  summary: "List the user's security keys",
  params: {},
  ...rules,
  show: (_, context, webSession, viewer) => keysPage(context, webSession, viewer),
})

export const showRegistrationOptions = signedInPage({
  path: OPTIONS,
  summary: 'Show the challenge for a new security key',
  params: {},
  returns: 'hash',
  ...rules,
  show: async (_, context, webSession, viewer) =>
    webSession.respond(json(await startRegistration(context, webSession, viewer))),
})

/** Registers a key; the page's script sends the key's response. */
export const addKey = signedInForm({
  method: 'POST',
  path: PATH,
  summary: 'Register a security key',
  params: {
    security_key: param.object(
      { nickname: param.string({ default: '', trim: true }), credential: param.record({ optional: true }) },
      { missing: 400 },
    ),
  },
  returns: 'hash',
  ...rules,
  async act({ security_key: { nickname, credential } }, context, webSession, viewer) {
    const { t } = webSession.translator
    const refuse = (key: TextKey) => webSession.respond(json({ error: t(key) }, 422))
    if (nickname === '' || countCodePoints(nickname) > MAX_NICKNAME) return refuse('security_keys.nickname_wrong')
    const outcome = await registerKey(context, webSession, viewer.userId, nickname, credential)
    if (outcome === 'signed out') return webSession.respond(json({ redirect_path: '/auth/sign_in' }))
    if (outcome !== 'added') return refuse(`security_keys.${outcome}`)
    webSession.flash(t('security_keys.added'))
    return webSession.respond(json({ redirect_path: PATH }))
  },
})

export const removeKeyOnPage = signedInForm({
  method: 'DELETE',
  path: `${PATH}/:id`,
  summary: 'Remove a security key',
  params: { id: param.id() },
  ...rules,
  async act({ id }, context, webSession, viewer) {
    const outcome = await removeKey(context.database, webSession.session, viewer.userId, id)
    if (outcome === 'signed out') return webSession.respond(redirect('/auth/sign_in'))
    if (outcome === 'none') throw new ApiError('notFound')
    webSession.flash(webSession.translator.t('security_keys.removed'))
    return webSession.respond(redirect(PATH))
  },
})

async function keysPage(context: Context, webSession: WebSession, viewer: Viewer): Promise<Response> {
  const { t } = webSession.translator
  const csrfToken = webSession.csrfToken()
  const keys = await findKeys(context.database, viewer.userId)
  const entries: Html[] = keys.map(({ id, nickname, created_at: since, last_used_at: used }) => {
    const values = {
      since: timeText(since, webSession.translator),
      used: used === null ? '–' : timeText(used, webSession.translator),
    }
    return html`<li class="entry">
      <p><strong>${nickname}</strong></p>
      <p class="quiet">${t('security_keys.used', values)}</p>
      ${form({ action: `${PATH}/${id}`, method: 'delete', csrfToken }, submit(t('security_keys.remove'), 'danger'))}
    </li>`
  })
  const body = html`<p>${t('security_keys.intro')}</p>
    ${keyProblem(webSession.translator)}
    ${form({ action: PATH, csrfToken, hidden: true, data: { 'security-key': 'create', options: OPTIONS } }, [
      field({
        label: t('security_keys.nickname'),
        name: 'security_key[nickname]',
        maxLength: MAX_NICKNAME,
        hint: t('security_keys.nickname_hint'),
        required: true,
      }),
      submit(t('security_keys.add')),
    ])}
    <ul class="entries">
      ${entries}
    </ul>
    <p><a href="${OVERVIEW}">${t('two_factor.title')}</a></p>`
  const title = t('security_keys.title')
  return webSession.respond(
    settingsPage(context, webSession, viewer, { title, body, navigationPath: OVERVIEW, scripts: [SCRIPT] }),
  )
}
