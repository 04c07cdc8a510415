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

/** Paths that other programs link to. */
export const redirects = [
  lead('/settings', '/settings/profile', 'Start of the settings'),
  lead('/settings/preferences/appearance', '/settings/preferences/reading', 'Former address of reading preferences'),
  lead('/settings/preferences/other', '/settings/preferences/posting', 'Former address of posting defaults'),
]
