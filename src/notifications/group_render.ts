import { accountFragments, partialEntity, renderAccounts } from '../accounts/index.ts'
import { Json, list } from '../platform/http/index.ts'
import type { Id } from '../core/id.ts'
import type { Viewer } from '../core/viewer.ts'
import type { Services } from '../platform/services.ts'
import { renderStatuses } from '../statuses/index.ts'
import { renderDetails } from './details.ts'
import { renderFallback } from './fallback.ts'
import type { Group } from './group_members.ts'
import { statusOf } from './row.ts'
import type { KnownFollows } from './visible_follows.ts'
import type { RenderedPage } from './viewer_pages.ts'

export interface GroupOptions {
  /** Whether only the newest account of each group is rendered in full. */
  readonly partialAvatars?: boolean
  /** The types that the client supports; others get a fallback. Absent: no fallbacks. */
  readonly supported?: readonly string[] | undefined
  readonly follows?: KnownFollows
}

export interface RenderedGroups extends RenderedPage {
  /** The entity GroupedNotificationsResults. */
  readonly json: Json
  readonly groups: readonly Group[]
}

/**
 * The entity GroupedNotificationsResults of the viewer's groups. A group whose status is no longer
 * visible is omitted.
 */
export async function renderGroups(
  services: Services,
  viewer: Viewer,
  groups: readonly Group[],
  options: GroupOptions = {},
): Promise<RenderedGroups> {
  const statuses = await renderStatuses(services, viewer, [...new Set(groups.flatMap(group => statusOf(group) ?? []))])
  const known = groups.filter(group => {
    const status = statusOf(group)
    return status === undefined || statuses.has(status)
  })
  const { full, partial } = shareAccounts(known, options)
  const named = [...(partial ?? []), ...(options.supported ? known.map(group => group.from_account_id) : [])]
  const [details, accounts, fragments] = await Promise.all([
    renderDetails(services, viewer, known, { grouped: true }),
    renderAccounts(services, viewer, full, options.follows),
    accountFragments(services).get(new Set(named)),
  ])
  const reader = { supported: options.supported, locale: viewer.locale }
  const shown = known.map(group => {
    const happening = { type: group.type, account: fragments.get(group.from_account_id), members: group.members }
    const fallback = renderFallback(happening, reader, services.config)
    return renderGroup(group, `${details.get(group.id) ?? ''}${fallback}`)
  })
  const partials = partial && list(partial.flatMap(id => fragments.get(id) ?? []).map(partialEntity))
  const used = new Set(known.flatMap(group => statusOf(group) ?? []))
  const json = new Json([
    '{"accounts":',
    ...list(full.flatMap(id => accounts.get(id) ?? [])).pieces,
    ...(partials ? [',"partial_accounts":', ...partials.pieces] : []),
    ',"statuses":',
    ...list([...used].flatMap(id => statuses.get(id) ?? [])).pieces,
    `,"notification_groups":[${shown.join()}]}`,
  ])
  return { json, groups, isComplete: known.length === groups.length }
}

/** Splits the accounts into those rendered in full and those rendered partially. */
function shareAccounts(
  groups: readonly Group[],
  { partialAvatars = false }: GroupOptions,
): { full: Id[]; partial: Id[] | undefined } {
  const all = new Set(groups.flatMap(({ sample }) => sample))
  if (!partialAvatars) return { full: [...all], partial: undefined }
  const newest = new Set(groups.flatMap(({ sample }) => sample.slice(0, 1)))
  return { full: [...newest], partial: [...all].filter(id => !newest.has(id)) }
}

/** The entity NotificationGroup. @param rest the members that come last */
function renderGroup(group: Group, rest: string): string {
  const { id, group_key, type, created_at, sample, oldest, members } = group
  const status = statusOf(group)
  return (
    `{"group_key":"${group_key}","notifications_count":${members},"type":"${type}","most_recent_notification_id":${id}` +
    (oldest === undefined
      ? ''
      : `,"page_min_id":"${oldest}","page_max_id":"${id}","latest_page_notification_at":"${created_at}"`) +
    `,"sample_account_ids":${sample.length === 0 ? '[]' : `["${sample.join('","')}"]`}` +
    (status === undefined ? '' : `,"status_id":"${status}"`) +
    `${rest}}`
  )
}
