import { cursorsOf, list, operation, page, param } from '../platform/http/index.ts'
import { findAccount, findAccountStatuses } from '../accounts/index.ts'
import { renderPage } from './render.ts'

const LINK_PARAMS = ['pinned', 'tagged', 'only_media', 'exclude_replies', 'exclude_reblogs']

export const accountStatuses = operation({
  method: 'GET',
  path: '/api/v1/accounts/:id/statuses',
  auth: 'optional',
  scopes: ['read:statuses'],
  cache: 'public',
  cacheTags: ({ id }) => [id],
  params: {
    id: param.id(),
    max_id: param.cursor(),
    since_id: param.cursor(),
    min_id: param.cursor(),
    limit: param.limit(20),
    only_media: param.boolean({ default: false }),
    exclude_replies: param.boolean({ default: false }),
    exclude_reblogs: param.boolean({ default: false }),
    exclude_direct: param.boolean({ default: false }),
    pinned: param.boolean({ default: false }),
    tagged: param.string({ optional: true, blank: 'missing' }),
  },
  returns: '[Status]',
  summary: 'List the statuses of an account',
  async handle({ id, max_id, since_id, min_id, ...params }, context) {
    const { viewer, database, request } = context
    const account = await findAccount(context, viewer, id)
    if (account.suspended) return []
    const cuts = { max_id: max_id ?? null, since_id: since_id ?? null, min_id: min_id ?? null }
    const rows = await findAccountStatuses(database, { viewer: viewer?.id ?? null, account: id, ...cuts, ...params })
    const ids = rows.map(row => row.id)
    return page(
      list(await renderPage(context, viewer, ids, { visible: true })),
      cursorsOf(rows, row => row.id),
      request,
      { limit: params.limit },
      { keep: LINK_PARAMS },
    )
  },
})
