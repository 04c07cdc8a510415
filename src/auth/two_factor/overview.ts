import { requireSignedIn } from '../account_settings/index.ts'
import { ApiError } from '../../core/errors.ts'
import { operation, param, redirect } from '../../platform/http/index.ts'
import { CSRF_PARAMETER } from '../../platform/ui/index.ts'
import { disableFactor, findFactorState, renewCodes } from './factor.ts'
import { CODES, codesPage, DISABLE, OVERVIEW, overviewPage } from './pages.ts'

const protection = { [CSRF_PARAMETER]: param.string({ optional: true }) } as const

/**
 * Also available to users whose role requires a second factor that they do not have: here they set
 * it up.
 */
export const showTwoFactor = operation({
  method: 'GET',
  path: OVERVIEW,
  summary: 'Show the state of two-factor authentication',
  auth: 'public',
  scopes: [],
  page: true,
  params: {},
  returns: 'text/html',
  handle(_, context) {
    return requireSignedIn(context, { unsuspended: true, challenge: true }, async (webSession, viewer) => {
      const factor = await findFactorState(context.database, viewer.userId)
      if (!factor) throw new ApiError('notFound')
      return webSession.respond(overviewPage(context, webSession, viewer, factor))
    })
  },
})

export const disableTwoFactor = operation({
  method: 'POST',
  path: DISABLE,
  summary: 'Disable two-factor authentication',
  auth: 'public',
  scopes: [],
  page: true,
  params: protection,
  returns: 'redirect',
  handle(form, context) {
    return requireSignedIn(context, { form, unsuspended: true, challenge: OVERVIEW }, async (webSession, viewer) => {
      const factor = await findFactorState(context.database, viewer.userId)
      if (factor?.required) throw new ApiError('forbidden')
      await disableFactor(context.database, viewer.userId)
      webSession.flash(webSession.translator.t('two_factor.disabled'))
      return webSession.respond(redirect(OVERVIEW))
    })
  },
})

/** Shows new recovery codes, once. */
export const makeRecoveryCodes = operation({
  method: 'POST',
  path: CODES,
  summary: 'Make new recovery codes',
  auth: 'public',
  scopes: [],
  page: true,
  params: protection,
  returns: 'text/html',
  handle(form, context) {
    return requireSignedIn(context, { form, unsuspended: true, challenge: OVERVIEW }, async (webSession, viewer) => {
      const codes = await renewCodes(context.database, viewer.userId)
      if (!codes) return redirect(OVERVIEW)
      return codesPage(context, webSession, viewer, { codes, isFirst: false, nextPath: OVERVIEW })
    })
  },
})
