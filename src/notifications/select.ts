import { c, query } from '../platform/database/index.ts'
import { param, type Range, rangeParameters } from '../platform/http/index.ts'
import { parseId, type Id } from '../core/id.ts'
import type { Services } from '../platform/services.ts'
import { notificationColumns, type NotificationRow } from './row.ts'
import { NOTIFICATION_TYPES } from './type.ts'

const cuts = {
  viewer: c.id,
  max_id: c.nullable(c.id),
  since_id: c.nullable(c.id),
  min_id: c.nullable(c.id),
  limit: c.integer,
} as const

const findPage = query('notifications/page', { ...cuts, filtered: c.boolean }, notificationColumns)
const findOfTypes = query(
  'notifications/page_of_types',
  { ...cuts, types: c.texts, filtered: c.boolean },
  notificationColumns,
)
const findFrom = query('notifications/page_from', { ...cuts, types: c.texts, account: c.id }, notificationColumns)

/** The parameters that select notifications. */
export const selection = {
  types: param.strings({ optional: true, description: 'only these types; unknown ones are ignored' }),
  exclude_types: param.strings({ optional: true, description: 'all but these types' }),
  account_id: param.string({ optional: true, description: 'only notifications caused by this account' }),
  include_filtered: param.boolean({ default: false, description: 'include notifications filtered by the policy' }),
} as const

export interface Selection {
  readonly types: readonly string[] | undefined
  readonly exclude_types: readonly string[] | undefined
  readonly account_id: string | undefined
  readonly include_filtered: boolean
}

/** The requested types; undefined for all. */
export function typesOf({ types, exclude_types: excluded = [] }: Selection): string[] | undefined {
  if ((types === undefined || types.length === 0) && excluded.length === 0) return undefined
  return NOTIFICATION_TYPES.filter(
    type => (types === undefined || types.length === 0 || types.includes(type)) && !excluded.includes(type),
  )
}

/** The selected notifications of an account, newest first. A page is full if there are more. */
export async function selectNotifications(
  { database }: Services,
  viewer: Id,
  chosen: Selection,
  range: Range,
): Promise<NotificationRow[]> {
  const types = typesOf(chosen)
  const account =
    chosen.account_id === undefined || chosen.account_id === '' ? undefined : parseAccount(chosen.account_id)
  if (range.limit === 0 || types?.length === 0 || account === null) return []
  const part = {
    viewer,
    ...rangeParameters(range),
  }
  if (account !== undefined)
    return database.run(findFrom, { ...part, account, types: types ?? [...NOTIFICATION_TYPES] })
  const filtered = chosen.include_filtered
  if (types) return database.run(findOfTypes, { ...part, types, filtered })
  return database.run(findPage, { ...part, filtered })
}

/** Null for an invalid id. */
const parseAccount = (text: string): Id | null => parseId(text) ?? null
