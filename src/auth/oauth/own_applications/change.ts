import { refusalOf, signedInForm } from '../../account_settings/index.ts'
import { ApiError } from '../../../core/errors.ts'
import { holdSession } from '../../sessions/index.ts'
import { param, redirect, type AnyOperation } from '../../../platform/http/index.ts'
import { updateOwn, createOwn, readApplication, removeOwn, renewSecret, renewToken } from './applications.ts'
import type { ApplicationInput } from './applications.ts'
import { editPage, newPage, PATH } from './pages.ts'

const text = param.string({ default: '' })
const application = param.object({ name: text, website: text, redirect_uris: text, scopes: text }, { missing: 400 })

export const createApplication = signedInForm({
  method: 'POST',
  path: PATH,
  summary: 'Create an application',
  params: { application },
  returns: 'text/html',
  functional: true,
  async act({ application: entered }, context, webSession, viewer) {
    let input: ApplicationInput | undefined
    const refusal = await refusalOf(webSession, async () => (input = readApplication({ ...entered })))
    if (!input) return newPage(context, webSession, viewer, entered, refusal)
    const application = await createOwn(context.database, viewer.userId, input)
    const alert = webSession.translator.t('own_applications.too_many')
    if (!application) return newPage(context, webSession, viewer, entered, { fields: {}, alert })
    return editPage(context, webSession, viewer, application.id, { secret: application.secret })
  },
})

export const changeApplication = signedInForm({
  method: ['PUT', 'PATCH'],
  path: `${PATH}/:id`,
  summary: 'Change an application',
  params: { id: param.id(), application },
  functional: true,
  async act({ id, application: entered }, context, webSession, viewer) {
    let input: ApplicationInput | undefined
    const refusal = await refusalOf(webSession, async () => (input = readApplication({ ...entered })))
    if (!input) return editPage(context, webSession, viewer, id, { entered, ...(refusal && { refusal }) })
    if (!(await updateOwn(context.database, viewer.userId, id, input))) throw new ApiError('notFound')
    webSession.flash(webSession.translator.t('preferences.saved'))
    return webSession.respond(redirect(`${PATH}/${id}`))
  },
})

/** Declares the operation that generates a credential of an application and shows it once. */
const renewOperation = (kind: 'secret' | 'token', summary: string, renew: typeof renewSecret): AnyOperation =>
  signedInForm({
    method: 'POST',
    path: `${PATH}/:id/${kind}`,
    summary,
    params: { id: param.id() },
    returns: 'text/html',
    functional: true,
    async act({ id }, context, webSession, viewer) {
      const renewed = await context.database.transaction(async transaction =>
        (await holdSession(transaction, webSession.session))
          ? { credential: await renew(transaction, viewer.userId, id) }
          : undefined,
      )
      if (!renewed) return webSession.respond(redirect('/auth/sign_in'))
      const { credential } = renewed
      if (credential === undefined) throw new ApiError('notFound')
      return editPage(context, webSession, viewer, id, { [kind]: credential })
    },
  })

export const makeSecret = renewOperation('secret', 'Make a new secret for an application', renewSecret)
export const makeToken = renewOperation('token', 'Make a new token of an application for its developer', renewToken)

export const removeApplication = signedInForm({
  method: 'DELETE',
  path: `${PATH}/:id`,
  summary: 'Remove an application with all its tokens',
  params: { id: param.id() },
  functional: true,
  async act({ id }, context, webSession, viewer) {
    if (!(await removeOwn(context.database, viewer.userId, id))) throw new ApiError('notFound')
    webSession.flash(webSession.translator.t('own_applications.removed'))
    return webSession.respond(redirect(PATH))
  },
})
