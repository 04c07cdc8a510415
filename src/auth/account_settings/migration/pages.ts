import { findMigration, moveAccount, redirectAccount, undoRedirect } from '../../../accounts/migration/index.ts'
import { ApiError } from '../../../core/errors.ts'
import type { Viewer } from '../../../core/viewer.ts'
import type { Runner } from '../../../platform/database/index.ts'
import { param, redirect, type Context, type Response } from '../../../platform/http/index.ts'
import { field, form, html, submit, type Html } from '../../../platform/ui/index.ts'
import { holdSession, type WebSession } from '../../sessions/index.ts'
import { isPasswordOf, refusalOf, settingsPage, signedInForm, signedInPage, type Refusal } from '../index.ts'

const PATH = '/settings/migration'
const REDIRECT = `${PATH}/redirect`

type Form = 'account_migration' | 'redirect'

interface Tried {
  readonly form: Form
  readonly acct: string
  readonly refusal: Refusal
}

const entered = param.object(
  { acct: param.string({ default: '' }), current_password: param.string({ default: '' }) },
  { missing: 400 },
)

/** For users of a usable account or of one that has moved, which other pages refuse. */
const rules = {
  unsuspended: true,
  async before({ database }: Context, { id, missingFactor }: Viewer): Promise<Response | undefined> {
    const state = await findMigration(database, id)
    return state?.usable === true && !missingFactor ? undefined : redirect('/auth/edit')
  },
} as const

export const showMigration = signedInPage({
  path: PATH,
  summary: 'Show the forms for moving the account and for redirecting it',
  params: {},
  ...rules,
  show: (_, context, webSession, viewer) => migrationPage(context, webSession, viewer),
})

/** Changes where the account has moved, when the password is right. */
async function change(
  context: Context,
  webSession: WebSession,
  viewer: Viewer,
  name: Form,
  { acct, current_password: password }: { acct: string; current_password: string },
): Promise<Response> {
  const { t } = webSession.translator
  const work = name === 'redirect' ? redirectAccount : moveAccount
  const isRight = await isPasswordOf(context.database, viewer.userId, password)
  const hold = (transaction: Runner) => holdSession(transaction, webSession.session)
  let isSignedIn = true
  const refusal = isRight
    ? await refusalOf(webSession, async () => (isSignedIn = await work(context, viewer.id, acct, hold)))
    : { alert: t('settings.refused'), fields: { current_password: [t('form_error.wrong')] } }
  if (!isSignedIn) return webSession.respond(redirect('/auth/sign_in'))
  if (refusal) return migrationPage(context, webSession, viewer, { form: name, acct, refusal })
  webSession.flash(t(name === 'redirect' ? 'migration.redirected' : 'migration.moved'))
  return webSession.respond(redirect(PATH))
}

export const moveOnPage = signedInForm({
  method: 'POST',
  path: PATH,
  summary: 'Move the account with its followers',
  params: { account_migration: entered },
  ...rules,
  act: ({ account_migration: input }, context, webSession, viewer) =>
    change(context, webSession, viewer, 'account_migration', input),
})

export const redirectOnPage = signedInForm({
  method: 'POST',
  path: REDIRECT,
  summary: 'Redirect to another account without moving followers',
  params: { redirect: entered },
  ...rules,
  act: ({ redirect: input }, context, webSession, viewer) => change(context, webSession, viewer, 'redirect', input),
})

export const endRedirect = signedInForm({
  method: 'DELETE',
  path: REDIRECT,
  summary: 'End the redirection',
  params: {},
  ...rules,
  async act(_, context, webSession, viewer) {
    if (!(await undoRedirect(context.database, viewer.id))) throw new ApiError('notFound')
    webSession.flash(webSession.translator.t('migration.ended'))
    return webSession.respond(redirect(PATH))
  },
})

async function migrationPage(
  context: Context,
  webSession: WebSession,
  viewer: Viewer,
  tried?: Tried,
): Promise<Response> {
  const { t } = webSession.translator
  const state = await findMigration(context.database, viewer.id)
  const csrfToken = webSession.csrfToken()
  const target = state?.target_username
  const where = `@${target ?? ''}@${state?.target_domain ?? context.config.localDomain}`
  const current =
    typeof target === 'string' &&
    html`<p class="notice">${t('migration.now', { account: where })}</p>
      ${form({ action: REDIRECT, method: 'delete', csrfToken }, submit(t('migration.end'), 'plain'))}`
  const body = html`${current}
    <section>
      <h2>${t('migration.move')}</h2>
      <p>${t('migration.move_intro')}</p>
      <p>${t('migration.alias_first')}</p>
      ${form({ action: PATH, csrfToken }, [fields(webSession, 'account_migration', tried), submit(t('migration.move_submit'), 'danger')])}
    </section>
    <section>
      <h2>${t('migration.redirect')}</h2>
      <p>${t('migration.redirect_intro')}</p>
      ${form({ action: REDIRECT, csrfToken }, [fields(webSession, 'redirect', tried), submit(t('migration.redirect_submit'), 'plain')])}
    </section>`
  const alert = tried?.refusal.alert
  return settingsPage(context, webSession, viewer, { title: t('migration.title'), body, navigationPath: PATH, alert })
}

function fields({ translator: { t } }: WebSession, name: Form, tried: Tried | undefined): Html[] {
  const own = tried?.form === name ? tried : undefined
  return [
    field({
      label: t('migration.acct'),
      name: `${name}[acct]`,
      value: own?.acct,
      hint: t('migration.acct_hint'),
      errors: own?.refusal.fields['acct'],
      required: true,
      verbatim: true,
    }),
    field({
      label: t('field.current_password'),
      name: `${name}[current_password]`,
      type: 'password',
      autocomplete: 'current-password',
      hint: t('field.current_password_hint'),
      errors: own?.refusal.fields['current_password'],
      required: true,
    }),
  ]
}
