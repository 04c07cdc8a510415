import { ApiError } from '../../core/errors.ts'
import { redirect, type Response, type Context } from '../../platform/http/index.ts'
import type { Viewer } from '../../core/viewer.ts'
import { CSRF_PARAMETER } from '../../platform/ui/index.ts'
import { openWebSession, requiredStep, type WebSession } from '../sessions/index.ts'
import { passwordConfirmationPage } from './password_confirmation_page.ts'

/** What a page asks of who opens it, beside being signed in. */
export interface SignedInRules {
  /** Of a form that changes something: its parameters, for the protection. */
  readonly form?: { readonly [CSRF_PARAMETER]?: string | undefined }
  /** The account must be usable; otherwise the person is led to where it says why not. */
  readonly functional?: boolean
  /** Refused to people whose account is suspended or going. */
  readonly unsuspended?: boolean
  /** The password must have been given again within the hour. A path to go back to, for forms; else the page itself. */
  readonly challenge?: true | string
}

/**
 * Lets whoever is signed in do something with their own account; others go to sign-in first, and come back.
 * @throws ApiError csrf for a form that is not ours; forbidden
 */
export async function requireSignedIn(
  context: Context,
  rules: SignedInRules,
  work: (visit: WebSession, viewer: Viewer) => Promise<Response> | Response,
): Promise<Response> {
  const { request } = context
  const visit = await openWebSession(context)
  const { viewer } = visit
  if (!viewer) {
    if (request.method === 'GET') visit.remember(request.path)
    return visit.answer(redirect('/auth/sign_in'))
  }
  if (rules.form) visit.requireCsrf(rules.form[CSRF_PARAMETER])
  if (rules.unsuspended && viewer.suspended) throw new ApiError('forbidden')
  const elsewhere = rules.functional ? requiredStep(viewer) : undefined
  if (elsewhere !== undefined) return redirect(elsewhere)
  if (rules.challenge !== undefined && !visit.isPasswordConfirmed())
    return passwordConfirmationPage(context, visit, rules.challenge === true ? request.path : rules.challenge)
  return work(visit, viewer)
}
