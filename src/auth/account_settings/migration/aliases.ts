import { addAlias, findAliases, removeAlias } from '../../../accounts/migration/index.ts'
import { ApiError } from '../../../core/errors.ts'
import type { Viewer } from '../../../core/viewer.ts'
import { operation, param, redirect, type Context, type Response } from '../../../platform/http/index.ts'
import { CSRF_PARAMETER, entryList, field, form, html, submit } from '../../../platform/ui/index.ts'
import type { WebSession } from '../../sessions/index.ts'
import type { FieldErrors } from '../../sign_up/index.ts'
import { refusalOf, requireSignedIn, settingsPage } from '../index.ts'

const path = '/settings/aliases'

export const showAliases = operation({
  method: 'GET',
  path,
  summary: "List the account's aliases",
  auth: 'public',
  scopes: [],
  page: true,
  params: {},
  returns: 'text/html',
  handle: (_, context) =>
    requireSignedIn(context, { functional: true }, (webSession, viewer) => aliasesPage(context, webSession, viewer)),
})

export const addAliasOnPage = operation({
  method: 'POST',
  path,
  summary: 'Add an alias to the account',
  auth: 'public',
  scopes: [],
  page: true,
  params: {
    [CSRF_PARAMETER]: param.string({ optional: true }),
    account_alias: param.object({ acct: param.string({ default: '' }) }, { missing: 400 }),
  },
  returns: 'redirect',
  handle({ account_alias: { acct }, ...protection }, context) {
    return requireSignedIn(context, { form: protection, functional: true }, async (webSession, viewer) => {
      const refusal = await refusalOf(webSession, () => addAlias(context, viewer.id, acct))
      if (refusal) return aliasesPage(context, webSession, viewer, { acct, errors: refusal.fields })
      webSession.flash(webSession.translator.t('aliases.added'))
      return webSession.respond(redirect(path))
    })
  },
})

export const removeAliasOnPage = operation({
  method: 'DELETE',
  path: `${path}/:id`,
  summary: 'Remove an alias',
  auth: 'public',
  scopes: [],
  page: true,
  params: { id: param.id(), [CSRF_PARAMETER]: param.string({ optional: true }) },
  returns: 'redirect',
  handle({ id, ...protection }, context) {
    return requireSignedIn(context, { form: protection, functional: true }, async (webSession, viewer) => {
      if (!(await removeAlias(context.database, viewer.id, id))) throw new ApiError('notFound')
      webSession.flash(webSession.translator.t('aliases.removed'))
      return webSession.respond(redirect(path))
    })
  },
})

async function aliasesPage(
  context: Context,
  webSession: WebSession,
  viewer: Viewer,
  refused?: { acct: string; errors: FieldErrors },
): Promise<Response> {
  const { t } = webSession.translator
  const csrfToken = webSession.csrfToken()
  const aliases = await findAliases(context.database, viewer.id)
  const entries = aliases.map(
    ({ id, username, domain }) =>
      html`<li class="entry">
        <p><strong>@${username}@${domain ?? context.config.localDomain}</strong></p>
        ${form({ action: `${path}/${id}`, method: 'delete', csrfToken }, submit(t('aliases.remove'), 'danger'))}
      </li>`,
  )
  const body = html`<p>${t('aliases.intro')}</p>
    ${form({ action: path, csrfToken }, [
      field({
        label: t('aliases.acct'),
        name: 'account_alias[acct]',
        value: refused?.acct,
        hint: t('aliases.acct_hint'),
        errors: refused?.errors['acct'],
        required: true,
        verbatim: true,
      }),
      submit(t('aliases.add')),
    ])}
    ${entryList(entries, t('aliases.none'))}`
  return settingsPage(context, webSession, viewer, { title: t('aliases.title'), body, navigationPath: path })
}
