import { signedInPage, settingsPage } from '../../account_settings/index.ts'
import { ApiError } from '../../../core/errors.ts'
import type { Viewer } from '../../../core/viewer.ts'
import { param, type Context, type Response } from '../../../platform/http/index.ts'
import { field, form, html, submit, textArea, type Html } from '../../../platform/ui/index.ts'
import type { WebSession } from '../../sessions/index.ts'
import type { FieldErrors } from '../../sign_up/index.ts'
import { findOwn, listOwn } from './applications.ts'

export const PATH = '/settings/applications'
const DEFAULT_REDIRECT = 'urn:ietf:wg:oauth:2.0:oob'

/** The values in the form of an application. */
interface Entered {
  readonly name: string
  readonly website: string
  readonly redirect_uris: string
  readonly scopes: string
}

export const showApplications = signedInPage({
  path: PATH,
  summary: 'List the applications that the user developed',
  params: {},
  functional: true,
  async show(_, context, webSession, viewer) {
    const { t } = webSession.translator
    const own = await context.database.run(listOwn, { owner: viewer.userId })
    const entries = own.map(
      ({ id, name, scopes }) =>
        html`<li class="entry">
          <p>
            <a href="${PATH}/${id}"><strong>${name}</strong></a>
          </p>
          <p class="quiet code">${scopes.join(' ')}</p>
        </li>`,
    )
    const body = html`<p>${t('own_applications.intro')}</p>
      <p><a class="button primary" href="${PATH}/new">${t('own_applications.new')}</a></p>
      <ul class="entries">
        ${entries}
      </ul>`
    return settingsPage(context, webSession, viewer, {
      title: t('own_applications.title'),
      body,
      navigationPath: PATH,
    })
  },
})

export const newApplication = signedInPage({
  path: `${PATH}/new`,
  summary: 'Show the form for a new application',
  params: {},
  functional: true,
  show: (_, context, webSession, viewer) =>
    newPage(context, webSession, viewer, { name: '', website: '', redirect_uris: DEFAULT_REDIRECT, scopes: 'read' }),
})

export function newPage(
  context: Context,
  webSession: WebSession,
  viewer: Viewer,
  entered: Entered,
  refusal?: { fields: FieldErrors; alert: string },
): Response {
  const { t } = webSession.translator
  const fields = applicationFields(webSession, entered, refusal?.fields)
  const body = form({ action: PATH, csrfToken: webSession.csrfToken() }, [fields, submit(t('own_applications.create'))])
  const title = t('own_applications.new')
  return settingsPage(context, webSession, viewer, { title, body, navigationPath: PATH, alert: refusal?.alert })
}

export const editApplication = signedInPage({
  path: `${PATH}/:id`,
  summary: 'Show an application that the user developed',
  params: { id: param.id() },
  functional: true,
  show: ({ id }, context, webSession, viewer) => editPage(context, webSession, viewer, id),
})

interface Shown {
  /** The entered values, after a refusal. */
  readonly entered?: Entered
  readonly refusal?: { fields: FieldErrors; alert: string }
  /** New secrets, which no other page shows. */
  readonly secret?: string
  readonly token?: string
}

/** @throws ApiError notFound unless the viewer developed it */
export async function editPage(
  context: Context,
  webSession: WebSession,
  viewer: Viewer,
  id: string,
  { entered, refusal, secret, token }: Shown = {},
): Promise<Response> {
  const { t } = webSession.translator
  const own = await context.database.one(findOwn, { owner: viewer.userId, application: id })
  if (!own) throw new ApiError('notFound')
  const path = `${PATH}/${id}`
  const csrfToken = webSession.csrfToken()
  const stored: Entered = {
    name: own.name,
    website: own.website ?? '',
    redirect_uris: own.redirect_uris.join('\n'),
    scopes: own.scopes.join(' '),
  }
  const fresh = (label: string, value: string | undefined): Html | false =>
    value !== undefined &&
    html`<p class="notice" role="status">${label}</p>
      <p class="code whole">${value}</p>`
  const body = html`${fresh(t('own_applications.fresh_secret'), secret)}
    ${fresh(t('own_applications.fresh_token'), token)}
    <section>
      <h2>${t('own_applications.keys')}</h2>
      <p>${t('own_applications.client_id')}</p>
      <p class="code whole">${own.client_id}</p>
      <p>${t('own_applications.secret_hint')}</p>
      ${form({ action: `${path}/secret`, csrfToken }, submit(t('own_applications.make_secret'), 'plain'))}
      <p>${t(own.has_token ? 'own_applications.token_there' : 'own_applications.token_hint')}</p>
      ${form({ action: `${path}/token`, csrfToken }, submit(t('own_applications.make_token'), 'plain'))}
    </section>
    <section>
      <h2>${t('own_applications.attributes')}</h2>
      ${form({ action: path, method: 'put', csrfToken }, [
        applicationFields(webSession, entered ?? stored, refusal?.fields),
        submit(t('account.save')),
      ])}
    </section>
    <section>
      <h2>${t('own_applications.remove')}</h2>
      <p>${t('own_applications.remove_hint')}</p>
      ${form({ action: path, method: 'delete', csrfToken }, submit(t('own_applications.remove'), 'danger'))}
    </section>`
  return settingsPage(context, webSession, viewer, {
    title: own.name,
    body,
    navigationPath: PATH,
    alert: refusal?.alert,
  })
}

const applicationFields = ({ translator: { t } }: WebSession, entered: Entered, errors: FieldErrors = {}): Html[] => [
  field({
    label: t('own_applications.name'),
    name: 'application[name]',
    value: entered.name,
    required: true,
    errors: errors['name'],
  }),
  field({
    label: t('own_applications.website'),
    name: 'application[website]',
    type: 'url',
    value: entered.website,
    errors: errors['website'],
  }),
  textArea({
    label: t('own_applications.redirect_uris'),
    name: 'application[redirect_uris]',
    value: entered.redirect_uris,
    rows: 3,
    hint: t('own_applications.redirect_uris_hint', { uri: DEFAULT_REDIRECT }),
    errors: errors['redirect_uris'],
  }),
  field({
    label: t('own_applications.scopes'),
    name: 'application[scopes]',
    value: entered.scopes,
    hint: t('own_applications.scopes_hint'),
    errors: errors['scopes'],
    verbatim: true,
  }),
]
