import { addAlias, findAliases, removeAlias } from '../../../accounts/migration/index.ts'
import { ApiError } from '../../../core/errors.ts'
import type { Viewer } from '../../../core/viewer.ts'
import { param, redirect, type Context, type Response } from '../../../platform/http/index.ts'
import { entryList, field, form, html, submit } from '../../../platform/ui/index.ts'
import type { WebSession } from '../../sessions/index.ts'
import type { FieldErrors } from '../../sign_up/index.ts'
import { refusalOf, signedInForm, signedInPage, settingsPage } from '../index.ts'

const path = '/settings/aliases'

export const showAliases = signedInPage({
  path,
  summary: "List the account's aliases",
  params: {},
  functional: true,
  show: (_, context, webSession, viewer) => aliasesPage(context, webSession, viewer),
})

export const addAliasOnPage = signedInForm({
  method: 'POST',
  path,
  summary: 'Add an alias to the account',
  params: {
    account_alias: param.object({ acct: param.string({ default: '' }) }, { missing: 400 }),
  },
  functional: true,
  async act({ account_alias: { acct } }, context, webSession, viewer) {
    const refusal = await refusalOf(webSession, () => addAlias(context, viewer.id, acct))
    if (refusal) return aliasesPage(context, webSession, viewer, { acct, errors: refusal.fields })
    webSession.flash(webSession.translator.t('aliases.added'))
    return webSession.respond(redirect(path))
  },
})

export const removeAliasOnPage = signedInForm({
  method: 'DELETE',
  path: `${path}/:id`,
  summary: 'Remove an alias',
  params: { id: param.id() },
  functional: true,
  async act({ id }, context, webSession, viewer) {
    if (!(await removeAlias(context.database, viewer.id, id))) throw new ApiError('notFound')
    webSession.flash(webSession.translator.t('aliases.removed'))
    return webSession.respond(redirect(path))
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
