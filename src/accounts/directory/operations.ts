import { renderAccounts } from '../index.ts'
import { c, query } from '../../platform/database/index.ts'
import { ApiError } from '../../core/errors.ts'
import { list, operation, param } from '../../platform/http/index.ts'

const parameters = { viewer: c.nullable(c.id), local: c.boolean, limit: c.integer, offset: c.integer } as const
const findActive = query('accounts/directory/active', parameters, { id: c.id })
const findNew = query('accounts/directory/new', parameters, { id: c.id })

const showDirectory = operation({
  method: 'GET',
  path: '/api/v1/directory',
  auth: 'optional',
  scopes: [],
  cache: 'public',
  // The most recently active accounts come first.
  cacheTags: () => ['status.created', 'status.deleted'],
  summary: 'List discoverable accounts',
  params: {
    offset: param.offset(),
    limit: param.limit(40),
    order: param.enumeration(['active', 'new'], { default: 'active' }),
    local: param.boolean({ default: false, description: 'only accounts of this server' }),
  },
  returns: '[Account]',
  async handle({ order, local, limit, offset }, context) {
    const { viewer, database, settings } = context
    if (!settings.get('profile_directory')) throw new ApiError('routeNotFound')
    const find = order === 'new' ? findNew : findActive
    const ids = (await database.run(find, { viewer: viewer?.id ?? null, local, limit, offset })).map(({ id }) => id)
    const accounts = await renderAccounts(context, viewer, ids)
    return list(ids.flatMap(id => accounts.get(id) ?? []))
  },
})

export const operations = [showDirectory]
