import { ApiError } from '../../core/errors.ts'
import { cursorsOf, list, page, param, type Context, type Range, type Response } from '../../platform/http/index.ts'
import { adminOperation } from '../index.ts'
import { findAccounts, ORIGINS, STATUSES, type AccountFilter } from './filter.ts'
import { renderAdminAccounts } from './render.ts'

const optionalText = () => param.string({ optional: true })

const COMMON_PARAMETERS = {
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

interface CommonParameters {
  readonly username: string | undefined
  readonly display_name: string | undefined
  readonly by_domain: string | undefined
  readonly email: string | undefined
  readonly ip: string | undefined
}

const commonFilter = (parameters: CommonParameters): AccountFilter => ({
  username: parameters.username,
  displayName: parameters.display_name,
  domain: parameters.by_domain,
  email: parameters.email,
  ip: parameters.ip,
})

async function respond(
  context: Context<'admin'>,
  filter: AccountFilter,
  range: Range,
  keptParameters: readonly string[],
): Promise<Response> {
  const ids = await findAccounts(context.database, filter, range)
  const entities = await renderAdminAccounts(context, context.viewer, ids)
  const items = list(ids.flatMap(id => entities.get(id) ?? []))
  return page(
    items,
    cursorsOf(ids, id => id),
    context.request,
    range,
    { keep: keptParameters },
  )
}

/**
 * In version 1, each filter by state is a separate parameter, set by any value that is not blank.
 */
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
/** If several are set, the last one applies; `sensitized` has no effect. */
const V1_STATUSES = ['active', 'pending', 'disabled', 'silenced', 'suspended'] as const

export const listV1 = adminOperation({
  method: 'GET',
  path: '/api/v1/admin/accounts',
  scopes: ['admin:read:accounts'],
  permission: 'manage_users',
  summary: 'List accounts, filtered by state',
  params: {
    local: optionalText(),
    remote: optionalText(),
    staff: optionalText(),
    active: optionalText(),
    pending: optionalText(),
    disabled: optionalText(),
    silenced: optionalText(),
    suspended: optionalText(),
    sensitized: optionalText(),
    ...COMMON_PARAMETERS,
  },
  returns: '[Admin::Account]',
  handle(parameters, context) {
    const isSet = (name: (typeof V1_FLAGS)[number]): boolean => (parameters[name] ?? '').trim() !== ''
    const filter: AccountFilter = {
      ...commonFilter(parameters),
      origin: isSet('remote') ? 'remote' : 'local',
      status: V1_STATUSES.findLast(isSet) ?? 'active',
      staff: isSet('staff'),
    }
    return respond(context, filter, parameters, [...V1_FLAGS, ...KEPT_PARAMETERS])
  },
})

const KEPT_PARAMETERS = ['username', 'display_name', 'by_domain', 'email', 'ip'] as const

/**
 * Undefined for a blank text.
 * @throws ApiError badRequest, naming the label, for an unknown value
 */
function parseChoice<T extends string>(choices: readonly T[], value: string | undefined, label: string): T | undefined {
  if (value === undefined || value.trim() === '') return undefined
  const choice = choices.find(word => word === value)
  if (choice === undefined) throw new ApiError('badRequest', { message: `Unknown ${label}: ${value}` })
  return choice
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
    ...COMMON_PARAMETERS,
  },
  returns: '[Admin::Account]',
  handle(parameters, context) {
    const filter: AccountFilter = {
      ...commonFilter(parameters),
      origin: parseChoice(ORIGINS, parameters.origin, 'origin'),
      status: parseChoice(STATUSES, parameters.status, 'status'),
      staff: parameters.permissions === 'staff',
      roleIds: parameters.role_ids,
      invitedBy: parameters.invited_by,
    }
    return respond(context, filter, parameters, [
      'origin',
      'status',
      'permissions',
      'role_ids',
      'invited_by',
      ...KEPT_PARAMETERS,
    ])
  },
})
