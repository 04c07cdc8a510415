import { ApiError } from '../core/errors.ts'
import { operation, redirect } from '../platform/http/index.ts'
import { requireSignedIn } from '../auth/account_settings/index.ts'
import { firstPagePath } from './staff_page.ts'

/** Redirects to the first page of the staff's area that the viewer's role permits. */
export const redirectToFirstPage = operation({
  method: 'GET',
  path: '/admin',
  summary: "Redirect to the first of the staff's pages",
  auth: 'public',
  scopes: [],
  page: true,
  params: {},
  returns: 'redirect',
  handle: (_, context) =>
    requireSignedIn(context, { functional: true, unsuspended: true }, (webSession, viewer) => {
      const path = firstPagePath(viewer)
      if (path === undefined) throw new ApiError('notAllowed')
      return webSession.respond(redirect(path))
    }),
})
