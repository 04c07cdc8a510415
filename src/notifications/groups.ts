import { c, query } from '../platform/database/index.ts'
import { ApiError } from '../core/errors.ts'
import { renderAccounts } from '../accounts/index.ts'
import { cursorsOf, list, operation, page, param, rangeParameters } from '../platform/http/index.ts'
import type { Id } from '../core/id.ts'
import type { Services } from '../platform/services.ts'
import { ungroupedId, ungroupedKey, isUngrouped } from './group_key.ts'
import { renderGroupPage } from './group_page.ts'
import { toGroups } from './group_members.ts'
import { renderGroups } from './group_render.ts'
import { findGroupRow, selectGroups, type GroupRow } from './group_rows.ts'
import { findNotification } from './render.ts'
import { selection } from './select.ts'
import { findRead } from './show.ts'

const findAccounts = query(
  'notifications/group_accounts',
  {
    viewer: c.id,
    group_key: c.text,
    max_id: c.nullable(c.id),
    since_id: c.nullable(c.id),
    min_id: c.nullable(c.id),
    limit: c.integer,
  },
  { id: c.id, from_account_id: c.id },
)

const KEPT = ['types', 'exclude_types', 'grouped_types', 'include_filtered', 'supported_types']

const choice = {
  ...selection,
  grouped_types: param.strings({
    optional: true,
    description: 'types to group, of favourite, reblog, follow and admin.sign_up; all if absent',
  }),
} as const

const supported = param.strings({ optional: true, description: 'types the client can draw; others get a fallback' })

/** @throws ApiError badRequest for another value */
function wantsPartial(value: string): boolean {
  if (value === 'partial_avatars') return true
  if (value === 'full' || value === '') return false
  const message = `Invalid value for 'expand_accounts': '${value}', allowed values are 'full' and 'partial_avatars'`
  throw new ApiError('badRequest', { message })
}

/**
 * A group occurs once in a page, without members newer than the page. It occurs in other pages too
 * if it has members there; new notifications move it to the top.
 */
export const showGroups = operation({
  method: 'GET',
  path: '/api/v2/notifications',
  auth: 'user',
  scopes: ['read:notifications'],
  summary: 'List the notifications of the caller in groups',
  params: {
    max_id: param.cursor(),
    since_id: param.cursor(),
    min_id: param.cursor(),
    limit: param.limit(40),
    ...choice,
    expand_accounts: param.string({
      default: 'full',
      description: 'full, or partial_avatars: all but the newest in short',
    }),
    supported_types: supported,
  },
  returns: 'GroupedNotificationsResults',
  async handle(parameters, context) {
    const partialAvatars = wantsPartial(parameters.expand_accounts)
    const options = { partialAvatars, supported: parameters.supported_types }
    const { json, groups } = await renderGroupPage(context, context.viewer, parameters, parameters, options)
    return page(
      json,
      cursorsOf(groups, group => group.position),
      context.request,
      parameters,
      { keep: KEPT, alwaysNext: true },
    )
  },
})

export const countUnreadGroups = operation({
  method: 'GET',
  path: '/api/v2/notifications/unread_count',
  auth: 'user',
  scopes: ['read:notifications'],
  summary: 'Count the groups with unread notifications of the caller, up to a limit',
  params: { limit: param.limit(100, 1000), ...choice },
  returns: '{"count": integer}',
  async handle({ limit, ...chosen }, context) {
    const { viewer, database } = context
    const read = await database.one(findRead, { viewer: viewer.id })
    return { count: (await selectGroups(context, viewer.id, chosen, { limit, since_id: read?.id })).length }
  },
})

/** Any notification can be requested individually. */
async function findUngrouped({ database }: Services, viewer: Id, notification: Id): Promise<GroupRow | undefined> {
  const row = await database.one(findNotification, { viewer, notification })
  return row && { ...row, position: row.id, group_key: ungroupedKey(row.id) }
}

export const showGroup = operation({
  method: 'GET',
  path: '/api/v2/notifications/:group_key',
  auth: 'user',
  scopes: ['read:notifications'],
  summary: 'Show one group of notifications of the caller',
  params: { group_key: param.string({ missing: 404 }), supported_types: supported },
  returns: 'GroupedNotificationsResults',
  async handle({ group_key: key, supported_types }, context) {
    const alone = ungroupedId(key)
    const { viewer } = context
    const row =
      alone === undefined ? await findGroupRow(context, viewer.id, key) : await findUngrouped(context, viewer.id, alone)
    if (!row) throw new ApiError('notFound')
    const groups = await toGroups(context, viewer.id, [row])
    return (await renderGroups(context, viewer, groups, { supported: supported_types })).json
  },
})

export const showGroupAccounts = operation({
  method: 'GET',
  path: '/api/v2/notifications/:group_key/accounts',
  auth: 'user',
  scopes: ['read:notifications'],
  summary: 'List who caused the notifications of a group',
  params: {
    group_key: param.string({ missing: 404 }),
    max_id: param.cursor(),
    since_id: param.cursor(),
    min_id: param.cursor(),
    limit: param.limit(40),
  },
  returns: '[Account]',
  async handle({ group_key, ...range }, context) {
    const { viewer, database, request } = context
    const rows = await database.run(findAccounts, {
      viewer: viewer.id,
      // An ungrouped notification has no group here.
      group_key: isUngrouped(group_key) ? '' : group_key,
      ...rangeParameters(range),
    })
    const rendered = await renderAccounts(context, viewer, [...new Set(rows.map(row => row.from_account_id))])
    const items = list(rows.flatMap(row => rendered.get(row.from_account_id) ?? []))
    return page(
      items,
      cursorsOf(rows, row => row.id),
      request,
      range,
    )
  },
})
