import { empty, operation } from '../../platform/http/index.ts'

/**
 * Applications are registered over the API; the pages that would manage them are forbidden to all.
 */
export const refuseApplicationPages = operation({
  method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
  path: ['/oauth/applications', '/oauth/applications/new', '/oauth/applications/:id', '/oauth/applications/:id/edit'],
  summary: 'Refuse the application pages, which are disabled',
  auth: 'public',
  scopes: [],
  params: {},
  returns: 'Empty',
  handle: () => empty(403),
})
