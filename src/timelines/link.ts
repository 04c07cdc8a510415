import { Failure } from '../failure.ts'
import { operation } from '../http/operation.ts'
import { param } from '../http/param.ts'
import { accessibleParts } from './access.ts'
import { RANGE } from './render.ts'

/** Public posts that link to a trending article. There are no link previews yet, so no article can be trending. */
export const linkTimeline = operation({
  method: 'GET',
  path: '/api/v1/timelines/link',
  auth: 'optional',
  scopes: ['read:statuses'],
  cache: 'public',
  changesWith: () => ['status.created', 'status.updated', 'status.deleted'],
  params: { url: param.string({ missing: 404, description: 'exact URL of a preview card' }), ...RANGE },
  returns: '[Status]',
  summary: 'Public posts that link to a trending article',
  handle(_, { settings, viewer }) {
    accessibleParts(settings, viewer, 'topic', { local: false, remote: false })
    throw new Failure('notFound')
  },
})
