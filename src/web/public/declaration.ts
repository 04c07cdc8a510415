/** What the declarations of all pages that anybody may look at have in common. */
export const PUBLIC_PAGE = {
  method: 'GET',
  auth: 'public',
  scopes: [],
  allowWhenClosed: 'always',
  cache: 'handler',
  page: true,
  returns: 'text/html',
} as const
