import type { Viewer } from '../../core/viewer.ts'
import { operation, param, type AnyOperation, type Context, type Response } from '../../platform/http/index.ts'
import type { Declared, Parsed } from '../../platform/http/param/index.ts'
import { CSRF_PARAMETER } from '../../platform/ui/index.ts'
import type { WebSession } from '../sessions/index.ts'
import { requireSignedIn, type SignedInRules } from './require_signed_in.ts'

/** Makes the response for the signed-in user. */
type Handler<P extends Declared> = (
  parameters: Parsed<P>,
  context: Context,
  webSession: WebSession,
  viewer: Viewer,
) => Promise<Response> | Response

interface SignedInOperation<P extends Declared> extends Omit<SignedInRules, 'form'> {
  readonly path: string | readonly string[]
  readonly summary: string
  readonly params: P
  /** A further condition: throws, or returns the response for a user who does not meet it. */
  readonly before?: (context: Context, viewer: Viewer) => Promise<Response | undefined> | Response | undefined
}

interface SignedInPage<P extends Declared> extends SignedInOperation<P> {
  /** An HTML page by default. */
  readonly returns?: string
  readonly show: Handler<P>
}

interface SignedInForm<P extends Declared> extends SignedInOperation<P> {
  readonly method: FormMethod | readonly FormMethod[]
  readonly bodyLimitBytes?: number
  /** A redirect by default. */
  readonly returns?: string
  /** Makes the change. A returned page is that of the form, with errors. */
  readonly act: Handler<P>
}

type FormMethod = 'POST' | 'PUT' | 'PATCH' | 'DELETE'

const OPTIONS = { auth: 'public', scopes: [], page: true } as const

/** Declares a page of the signed-in user; see `requireSignedIn`. */
export const signedInPage = <const P extends Declared>(declared: SignedInPage<P>): AnyOperation => {
  const { functional, unsuspended, challenge, before, show, ...rest } = declared
  return operation<P, 'public'>({
    returns: 'text/html',
    ...rest,
    ...OPTIONS,
    method: 'GET',
    handle: (parameters, context) =>
      requireSignedIn(context, { functional, unsuspended, challenge }, async (webSession, viewer) => {
        const instead = await before?.(context, viewer)
        return instead ? webSession.respond(instead) : show(parameters, context, webSession, viewer)
      }),
  })
}

/**
 * Declares the operation that a form of the signed-in user submits to. It checks the CSRF token;
 * see `requireSignedIn`.
 */
export const signedInForm = <const P extends Declared>(declared: SignedInForm<P>): AnyOperation => {
  const { functional, unsuspended, challenge, before, act, params, ...rest } = declared
  return operation<Declared, 'public'>({
    returns: 'redirect',
    ...rest,
    ...OPTIONS,
    params: { ...params, [CSRF_PARAMETER]: param.string({ optional: true }) },
    handle(parameters, context) {
      const token = parameters[CSRF_PARAMETER]
      const form = typeof token === 'string' ? { [CSRF_PARAMETER]: token } : {}
      return requireSignedIn(context, { functional, unsuspended, challenge, form }, async (webSession, viewer) => {
        const instead = await before?.(context, viewer)
        return instead ? webSession.respond(instead) : act(parameters as Parsed<P>, context, webSession, viewer)
      })
    },
  })
}
