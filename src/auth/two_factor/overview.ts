import { signedInForm, signedInPage } from '../account_settings/index.ts'
import { ApiError } from '../../core/errors.ts'
import { redirect } from '../../platform/http/index.ts'
import { disableFactor, findFactorState, renewCodes } from './factor.ts'
import { CODES, codesPage, DISABLE, OVERVIEW, overviewPage } from './pages.ts'

/**
 * Also available to users whose role requires a second factor that they do not have: here they set
 * it up.
 */
export const showTwoFactor = signedInPage({
  path: OVERVIEW,
  summary: 'Show the state of two-factor authentication',
  params: {},
  unsuspended: true,
  challenge: true,
  async show(_, context, webSession, viewer) {
    const factor = await findFactorState(context.database, viewer.userId)
    if (!factor) throw new ApiError('notFound')
    return webSession.respond(overviewPage(context, webSession, viewer, factor))
  },
})

export const disableTwoFactor = signedInForm({
  method: 'POST',
  path: DISABLE,
  summary: 'Disable two-factor authentication',
  params: {},
  unsuspended: true,
  challenge: OVERVIEW,
  async act(_, context, webSession, viewer) {
    const factor = await findFactorState(context.database, viewer.userId)
    if (factor?.required) throw new ApiError('forbidden')
    if (!(await disableFactor(context.database, webSession.session, viewer.userId)))
      return webSession.respond(redirect('/auth/sign_in'))
    webSession.flash(webSession.translator.t('two_factor.disabled'))
    return webSession.respond(redirect(OVERVIEW))
  },
})

/** Shows new recovery codes, once. */
export const makeRecoveryCodes = signedInForm({
  method: 'POST',
  path: CODES,
  summary: 'Make new recovery codes',
  params: {},
  returns: 'text/html',
  unsuspended: true,
  challenge: OVERVIEW,
  async act(_, context, webSession, viewer) {
    const codes = await renewCodes(context.database, webSession.session, viewer.userId)
    if (codes === 'signed out') return webSession.respond(redirect('/auth/sign_in'))
    if (codes === 'none') return redirect(OVERVIEW)
    return codesPage(context, webSession, viewer, { codes, isFirst: false, nextPath: OVERVIEW })
  },
})
