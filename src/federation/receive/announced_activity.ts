import type { Services } from '../../platform/services.ts'
import { activityTypeOf, idOf, isObject, type ActivityType, type JsonObject } from '../protocol/index.ts'
import { findStatusByUri } from './find_by_uri.ts'
import { isStatusLike } from './note.ts'
import { enqueueRefresh } from './refresh_status.ts'

const CHANGES: ReadonlySet<ActivityType | undefined> = new Set<ActivityType>(['Delete', 'Update'])

/** The activity that an Announce of a group contains instead of a status (FEP-1b12). */
const announcedActivity = (object: unknown): JsonObject | undefined =>
  isObject(object) && object['actor'] !== undefined && object['object'] !== undefined && !isStatusLike(object)
    ? object
    : undefined

/**
 * The URI of the status that a group announces: itself, or by the activity that creates it;
 * undefined when it announces another activity.
 */
export function announcedStatusUri(object: unknown): string | undefined {
  const activity = announcedActivity(object)
  if (!activity) return idOf(object)
  const created = activity['object']
  const isStatus = activityTypeOf(activity) === 'Create' && (!isObject(created) || isStatusLike(created))
  return isStatus ? idOf(created) : undefined
}

/**
 * Has a status fetched again whose edit or deletion a group announces. Only the server of its
 * author is believed. Other activities, as votes, change nothing, so nothing is requested for them.
 */
export async function receiveAnnouncedChange(services: Services, object: unknown): Promise<void> {
  const activity = announcedActivity(object)
  if (!activity || !CHANGES.has(activityTypeOf(activity))) return
  const status = await findStatusByUri(services, services.database, idOf(activity['object']))
  if (status && !status.local && status.reblog_of_id === null) await enqueueRefresh(services, status.id)
}
