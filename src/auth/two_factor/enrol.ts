import { requireSignedIn } from '../account_settings/index.ts'
import { operation, param, redirect } from '../../platform/http/index.ts'
import { CSRF_PARAMETER } from '../../platform/ui/index.ts'
import { beginFactor, confirmFactor, findPendingSecret } from './factor.ts'
import { BEGIN, codesPage, CONFIRM, OVERVIEW, scanPage } from './pages.ts'

const protection = { [CSRF_PARAMETER]: param.string({ optional: true }) } as const
const SCAN = `${CONFIRM}/new`

/** Starts the set-up with a new secret. */
export const beginTwoFactor = operation({
  method: 'POST',
  path: BEGIN,
  summary: 'Begin to set up an authenticator app',
  auth: 'public',
  scopes: [],
  page: true,
  params: protection,
  returns: 'redirect',
  handle(form, context) {
    return requireSignedIn(context, { form, unsuspended: true, challenge: OVERVIEW }, async (webSession, viewer) => {
      await beginFactor(context, viewer.userId)
      return webSession.respond(redirect(SCAN))
    })
  },
})

/** Shows the secret that waits for its first code; redirects to the start if there is none. */
export const showSecret = operation({
  method: 'GET',
  path: [SCAN, `${BEGIN}/new`],
  summary: 'Show the secret for the authenticator app, as QR code and text',
  auth: 'public',
  scopes: [],
  page: true,
  params: {},
  returns: 'text/html',
  handle(_, context) {
    return requireSignedIn(context, { unsuspended: true, challenge: true }, async (webSession, viewer) => {
      const pending = await findPendingSecret(context, viewer.userId)
      return pending ? scanPage(context, webSession, viewer, pending) : redirect(OVERVIEW)
    })
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
export const confirmTwoFactor = operation({
  method: 'POST',
  path: CONFIRM,
  summary: 'Confirm the authenticator app by a code',
  auth: 'public',
  scopes: [],
  page: true,
  params: {
    ...protection,
    form_two_factor_confirmation: param.object({ otp_attempt: param.string({ default: '' }) }, { missing: 400 }),
  },
  returns: 'text/html',
  handle({ form_two_factor_confirmation: { otp_attempt: code }, ...form }, context) {
    return requireSignedIn(context, { form, unsuspended: true, challenge: SCAN }, async (webSession, viewer) => {
      const codes = await confirmFactor(context, viewer.userId, code, Date.now())
      if (codes) {
        const nextPath = viewer.missingFactor ? (webSession.takePath() ?? '/') : OVERVIEW
        return codesPage(context, webSession, viewer, { codes, isFirst: true, nextPath })
      }
      const pending = await findPendingSecret(context, viewer.userId)
      if (!pending) return redirect(OVERVIEW)
      return scanPage(context, webSession, viewer, {
        ...pending,
        alert: webSession.translator.t('two_factor.scan.wrong'),
      })
    })
  },
})
