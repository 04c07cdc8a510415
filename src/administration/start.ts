import { ApiError } from '../core/errors.ts'
import { redirect } from '../platform/http/index.ts'
import { signedInPage } from '../auth/account_settings/index.ts'
import { firstPagePath } from './staff_page.ts'

/** Redirects to the first page of the staff's area that the viewer's role permits. */
export const redirectToFirstPage = signedInPage({
  path: '/admin',
  summary: "Redirect to the first of the staff's pages",
  params: {},
  returns: 'redirect',
  functional: true,
  unsuspended: true,
  show(_, __, webSession, viewer) {
    const path = firstPagePath(viewer)
    if (path === undefined) throw new ApiError('notAllowed')
    return webSession.respond(redirect(path))
  },
})
