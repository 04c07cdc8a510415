/** The common part of the declarations of public pages. */
export const PUBLIC_PAGE = {
  method: 'GET',
  auth: 'public',
  scopes: [],
  allowWhenClosed: 'always',
  cache: 'handler',
  page: true,
  returns: 'text/html',
} as const
