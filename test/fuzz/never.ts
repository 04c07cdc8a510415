/**
 * Operations that never succeed, whoever asks and for what: a long run fails when another does
 * not.
 */
export const NEVER: readonly { readonly reason: string; readonly operations: readonly string[] }[] = [
  {
    reason: 'applications are not managed on these pages: their operations answer 403',
    operations: ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'].flatMap(method =>
      ['', '/new', '/:id', '/:id/edit'].map(path => `${method} /oauth/applications${path}`),
    ),
  },
  { reason: 'accounts are deleted on a page of their own: it answers 404', operations: ['DELETE /auth'] },
  {
    reason: 'they were removed from the API and answer 404',
    operations: ['GET /api/v1/statuses/:id/card', 'POST /api/v1/notifications/dismiss'],
  },
  { reason: 'there is an owner in every world, so that nobody can become the first', operations: ['GET /setup'] },
]
