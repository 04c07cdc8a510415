import { ApiError } from '../../core/errors.ts'
import { redirect, type Response, type Context } from '../../platform/http/index.ts'
import type { Viewer } from '../../core/viewer.ts'
import { CSRF_PARAMETER } from '../../platform/ui/index.ts'
import { NAVIGATION, type SettingsPath } from './navigation.ts'
import { addressOf, openWebSession, requiredStep, type WebSession } from '../sessions/index.ts'
import { newTermsPage } from './new_terms.ts'
import { passwordConfirmationPage } from './password_confirmation_page.ts'

/** Pages that stay open, so that users can leave or respond to moderators. */
const OPEN: ReadonlySet<string> = new Set<SettingsPath>(['/auth/edit', '/settings/exports', '/disputes/strikes'])

/** Requirements of a page beyond being signed in. */
export interface SignedInRules {
  /** The parameters of a form that changes something, for the CSRF check. */
  readonly form?: { readonly [CSRF_PARAMETER]?: string | undefined }
  /**
   * The account must be usable; otherwise the browser is redirected to a page with the reason.
   */
  readonly functional?: boolean | undefined
  /** Forbidden to suspended accounts and accounts marked for deletion. */
  readonly unsuspended?: boolean | undefined
  /**
   * The password must have been confirmed within the last hour. For forms: the path to return to;
   * else `true`, for the page itself.
   */
  readonly challenge?: true | string | undefined
}

/**
 * The pages before which new terms of service are shown: those of the navigation, but for pages
 * that must stay open to somebody who does not agree.
 */
const INTERRUPTED: ReadonlySet<string> = new Set(
  NAVIGATION.flatMap(({ items }) => items.map(({ path }) => path)).filter(path => !OPEN.has(path)),
)

/**
 * Runs an action for the signed-in user. Anonymous visitors are redirected to sign-in and return
 * afterwards. New terms of service are shown before some pages.
 * @throws ApiError csrf for a form without a valid token; forbidden
 */
export async function requireSignedIn(
  context: Context,
  rules: SignedInRules,
  work: (webSession: WebSession, viewer: Viewer) => Promise<Response> | Response,
): Promise<Response> {
  const { request } = context
  const webSession = await openWebSession(context)
  const { viewer } = webSession
  if (!viewer) {
    if (request.method === 'GET') webSession.remember(addressOf(request))
    return webSession.respond(redirect('/auth/sign_in'))
  }
  if (rules.form) webSession.requireCsrf(rules.form[CSRF_PARAMETER])
  if (rules.unsuspended && viewer.suspended) throw new ApiError('forbidden')
  const elsewhere = rules.functional ? requiredStep(viewer) : undefined
  if (elsewhere !== undefined) return redirect(elsewhere)
  if (request.method === 'GET' && INTERRUPTED.has(request.path)) {
    const page = await newTermsPage(context, webSession, viewer)
    if (page) return page
  }
  if (rules.challenge !== undefined && !webSession.isPasswordConfirmed())
    return passwordConfirmationPage(
      context,
      webSession,
      rules.challenge === true ? addressOf(request) : rules.challenge,
    )
  return work(webSession, viewer)
}
