import { operation, redirect } from '../../platform/http/index.ts'

const lead = (from: string, to: string, summary: string) =>
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

/**
 * Paths that other programs link to. Profiles are edited in applications, so the profile page
 * redirects to the account page.
 */
export const redirects = [
  lead('/settings', '/settings/profile', 'Start of the settings'),
  lead('/settings/profile', '/auth/edit', 'Redirect to the account settings'),
]
