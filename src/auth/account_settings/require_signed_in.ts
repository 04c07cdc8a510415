import { Failure } from '../../core/errors.ts'
import { redirect, type Answer, type Context } from '../../platform/http/index.ts'
import type { Viewer } from '../../core/viewer.ts'
import { CSRF_PARAMETER } from '../../platform/ui/index.ts'
import { openVisit, placeOf, type Visit } from '../sessions/index.ts'
import { challengePage } from './password_confirmation_page.ts'

/** What a page asks of who opens it, beside being signed in. */
export interface OwnerRules {
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
 * @throws Failure csrf for a form that is not ours; forbidden
 */
export async function asOwner(
  context: Context,
  rules: OwnerRules,
  work: (visit: Visit, viewer: Viewer) => Promise<Answer> | Answer,
): Promise<Answer> {
  const { request } = context
  const visit = await openVisit(context)
  const { viewer } = visit
  if (!viewer) {
    if (request.method === 'GET') visit.remember(request.path)
    return visit.answer(redirect('/auth/sign_in'))
  }
  if (rules.form) visit.requireCsrf(rules.form[CSRF_PARAMETER])
  if (rules.unsuspended && viewer.suspended) throw new Failure('forbidden')
  const elsewhere = rules.functional ? placeOf(viewer) : undefined
  if (elsewhere !== undefined) return redirect(elsewhere)
  if (rules.challenge !== undefined && !visit.isChallenged())
    return challengePage(context, visit, rules.challenge === true ? request.path : rules.challenge)
  return work(visit, viewer)
}
