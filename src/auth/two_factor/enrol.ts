import { signedInForm, signedInPage } from '../account_settings/index.ts'
import { operation, param, redirect } from '../../platform/http/index.ts'
import { beginFactor, confirmFactor, findPendingSecret } from './factor.ts'
import { BEGIN, codesPage, CONFIRM, OVERVIEW, scanPage } from './pages.ts'

const SCAN = `${CONFIRM}/new`

/** Starts the set-up with a new secret. */
export const beginTwoFactor = signedInForm({
  method: 'POST',
  path: BEGIN,
  summary: 'Begin to set up an authenticator app',
  params: {},
  unsuspended: true,
  challenge: OVERVIEW,
  async act(_, context, webSession, viewer) {
    await beginFactor(context, viewer.userId)
    return webSession.respond(redirect(SCAN))
  },
})

/** Shows the secret that waits for its first code; redirects to the start if there is none. */
export const showSecret = signedInPage({
  path: [SCAN, `${BEGIN}/new`],
  summary: 'Show the secret for the authenticator app, as QR code and text',
  params: {},
  unsuspended: true,
  challenge: true,
  async show(_, context, webSession, viewer) {
    const pending = await findPendingSecret(context, viewer.userId)
    return pending ? scanPage(context, webSession, viewer, pending) : redirect(OVERVIEW)
  },
})

/** Mastodon's start page. */
export const redirectToOverview = operation({
  method: 'GET',
  path: [BEGIN, '/settings/two_factor_authentication'],
  summary: 'Redirect former addresses of two-factor authentication',
  auth: 'public',
  scopes: [],
  page: true,
  params: {},
  returns: 'redirect',
  handle: () => redirect(OVERVIEW),
})

/**
 * Enables two-factor authentication with the first code, and shows the recovery codes. Users who
 * were authorizing an application continue there.
 */
export const confirmTwoFactor = signedInForm({
  method: 'POST',
  path: CONFIRM,
  summary: 'Confirm the authenticator app by a code',
  params: {
    form_two_factor_confirmation: param.object({ otp_attempt: param.string({ default: '' }) }, { missing: 400 }),
  },
  returns: 'text/html',
  unsuspended: true,
  challenge: SCAN,
  async act({ form_two_factor_confirmation: { otp_attempt: code } }, context, webSession, viewer) {
    const codes = await confirmFactor(context, webSession.session, viewer.userId, code)
    if (codes === 'signed out') return webSession.respond(redirect('/auth/sign_in'))
    if (codes !== 'wrong') {
      const nextPath = viewer.missingFactor ? (webSession.takePath() ?? '/') : OVERVIEW
      return codesPage(context, webSession, viewer, { codes, isFirst: true, nextPath })
    }
    const pending = await findPendingSecret(context, viewer.userId)
    if (!pending) return redirect(OVERVIEW)
    return scanPage(context, webSession, viewer, {
      ...pending,
      alert: webSession.translator.t('two_factor.scan.wrong'),
    })
  },
})
