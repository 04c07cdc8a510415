import { operation, redirect } from '../../platform/http/index.ts'

const redirection = (from: string, to: string, summary: string) =>
  operation({
    method: 'GET',
    path: from,
    summary,
    auth: 'public',
    scopes: [],
    page: true,
    params: {},
    returns: 'redirect',
    handle: () => redirect(to),
  })

/** Paths that other programs link to. */
export const redirects = [
  redirection('/settings', '/settings/profile', 'Redirect to the first page of the settings'),
  redirection(
    '/settings/preferences/appearance',
    '/settings/preferences/reading',
    'Redirect to the reading preferences',
  ),
  redirection('/settings/preferences/other', '/settings/preferences/posting', 'Redirect to the posting defaults'),
]
