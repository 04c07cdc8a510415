import { ApiError } from '../../core/errors.ts'
import { cursorsOf, list, page, param, type Context, type Range, type Response } from '../../platform/http/index.ts'
import { adminOperation } from '../index.ts'
import { findAccounts, ORIGINS, STATUSES, type AccountFilter } from './filter.ts'
import { renderAdminAccounts } from './render.ts'

const text = () => param.string({ optional: true })

const COMMON = {
  username: param.string({ optional: true, description: 'beginning of the username' }),
  display_name: param.string({ optional: true, description: 'beginning of the displayed name' }),
  by_domain: param.string({ optional: true, description: 'exact domain' }),
  email: param.string({ optional: true, description: 'beginning of the e-mail address' }),
  ip: param.string({ optional: true, description: 'an address or a network (CIDR) that the user has used' }),
  max_id: param.cursor(),
  since_id: param.cursor(),
  min_id: param.cursor(),
  limit: param.limit(100, 200),
}

interface Common {
  readonly username: string | undefined
  readonly display_name: string | undefined
  readonly by_domain: string | undefined
  readonly email: string | undefined
  readonly ip: string | undefined
}

const commonFilter = (asked: Common): AccountFilter => ({
  username: asked.username,
  displayName: asked.display_name,
  domain: asked.by_domain,
  email: asked.email,
  ip: asked.ip,
})

async function answer(
  context: Context<'admin'>,
  filter: AccountFilter,
  range: Range,
  keep: readonly string[],
): Promise<Response> {
  const ids = await findAccounts(context.database, filter, range)
  const entities = await renderAdminAccounts(context, context.viewer, ids)
  const items = list(ids.flatMap(id => entities.get(id) ?? []))
  return page(
    items,
    cursorsOf(ids, id => id),
    context.request,
    range,
    { keep },
  )
}

/** In version 1 each filter by state is a parameter; any value that is not blank sets it. */
const V1_FLAGS = [
  'local',
  'remote',
  'staff',
  'active',
  'pending',
  'disabled',
  'silenced',
  'suspended',
  'sensitized',
] as const
/** The last one that is set counts; `sensitized` never had an effect. */
const V1_STATUSES = ['active', 'pending', 'disabled', 'silenced', 'suspended'] as const

export const listV1 = adminOperation({
  method: 'GET',
  path: '/api/v1/admin/accounts',
  scopes: ['admin:read:accounts'],
  permission: 'manage_users',
  summary: 'List accounts, filtered by state',
  params: {
    local: text(),
    remote: text(),
    staff: text(),
    active: text(),
    pending: text(),
    disabled: text(),
    silenced: text(),
    suspended: text(),
    sensitized: text(),
    ...COMMON,
  },
  returns: '[Admin::Account]',
  handle(asked, context) {
    const isSet = (name: (typeof V1_FLAGS)[number]): boolean => (asked[name] ?? '').trim() !== ''
    const filter: AccountFilter = {
      ...commonFilter(asked),
      origin: isSet('remote') ? 'remote' : 'local',
      status: V1_STATUSES.findLast(isSet) ?? 'active',
      staff: isSet('staff'),
    }
    return answer(context, filter, asked, [...V1_FLAGS, ...KEPT])
  },
})

const KEPT = ['username', 'display_name', 'by_domain', 'email', 'ip'] as const

/** One of the words, undefined for a blank text. @throws ApiError badRequest with the label */
function oneOf<T extends string>(words: readonly T[], value: string | undefined, label: string): T | undefined {
  if (value === undefined || value.trim() === '') return undefined
  const found = words.find(word => word === value)
  if (found === undefined) throw new ApiError('badRequest', { message: `Unknown ${label}: ${value}` })
  return found
}

export const listV2 = adminOperation({
  method: 'GET',
  path: '/api/v2/admin/accounts',
  scopes: ['admin:read:accounts'],
  permission: 'manage_users',
  summary: 'List accounts',
  params: {
    origin: param.string({ optional: true, description: ORIGINS.join(', ') }),
    status: param.string({ optional: true, description: STATUSES.join(', ') }),
    permissions: param.enumeration(['staff'], { optional: true }),
    role_ids: param.strings({ optional: true, scalar: true, description: 'users with one of these roles' }),
    invited_by: param.id({ optional: true, description: 'users whom this account has invited' }),
    ...COMMON,
  },
  returns: '[Admin::Account]',
  handle(asked, context) {
    const filter: AccountFilter = {
      ...commonFilter(asked),
      origin: oneOf(ORIGINS, asked.origin, 'origin'),
      status: oneOf(STATUSES, asked.status, 'status'),
      staff: asked.permissions === 'staff',
      roleIds: asked.role_ids,
      invitedBy: asked.invited_by,
    }
    return answer(context, filter, asked, ['origin', 'status', 'permissions', 'role_ids', 'invited_by', ...KEPT])
  },
})
