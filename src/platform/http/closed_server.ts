import type { Request } from './request.ts'

/** A user may sign in, with a second factor or a new password. */
const SIGN_IN = ['/auth/sign_in', '/auth/sign_out', '/auth/password', '/auth/sessions', '/auth/challenge']
/** Address and password; the form, a POST that names its method, and the link in the e-mail. */
const CREDENTIALS = ['/auth/edit', '/auth/confirmation']
const CREDENTIALS_FORM = '/auth'
/** The data of an account and its security. */
const SETTINGS = [
  '/settings/exports',
  '/severed_relationships',
  '/backups',
  '/settings/delete',
  '/settings/login_activities',
  '/settings/sessions',
  '/settings/otp_authentication',
  '/settings/security_keys',
  '/settings/two_factor_authentication',
  '/settings/two_factor_authentication_methods',
]
/** What these pages load, and what watches the server. */
const AROUND = ['/assets', '/custom.css', '/css', '/pictures', '/favicon.ico', '/health', '/metrics']
const OPEN = [...SIGN_IN, ...CREDENTIALS, ...SETTINGS, ...AROUND]

/**
 * Whether a server that ends for good (SELF_DESTRUCT) serves a request as before: browsers'
 * preflight requests, and the pages where members fetch their data. All else is gone; a sign-up,
 * which has the path of the form of credentials, refuses by itself.
 */
export function staysOpen({ method, path }: Pick<Request, 'method' | 'path'>): boolean {
  if (path === CREDENTIALS_FORM) return method !== 'GET' && method !== 'HEAD'
  return method === 'OPTIONS' || OPEN.some(open => path === open || path.startsWith(`${open}/`))
}
