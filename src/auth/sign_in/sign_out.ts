import { json, operation, param, redirect } from '../../platform/http/index.ts'
import { CSRF_PARAMETER } from '../../platform/ui/index.ts'
import { openWebSession } from '../sessions/index.ts'

export const signOut = operation({
  method: 'DELETE',
  path: '/auth/sign_out',
  summary: 'Sign out',
  auth: 'public',
  scopes: [],
  page: true,
  params: {
    [CSRF_PARAMETER]: param.string({ optional: true }),
    continue: param.boolean({ default: false }),
  },
  returns: 'text/html',
  async handle(parameters, context) {
    const webSession = await openWebSession(context)
    if (webSession.session) {
      webSession.requireCsrf(parameters[CSRF_PARAMETER])
      await webSession.signOut({ keepPath: parameters.continue })
    }
    const wantsJson = /\bapplication\/json\b/.test(context.request.header('accept'))
    return webSession.respond(wantsJson ? json({ redirect_to: '/auth/sign_in' }) : redirect('/auth/sign_in', 303))
  },
})
