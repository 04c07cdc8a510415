/** What the declarations of all pages that anybody may look at have in common. */
export const PUBLIC_PAGE = {
  method: 'GET',
  auth: 'public',
  scopes: [],
  open: 'always',
  cache: 'own',
  page: true,
  returns: 'text/html',
} as const
