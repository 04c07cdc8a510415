import { typesOf, type JsonObject } from './json.ts'

/** The types of activities that are processed; others are ignored. */
const ACTIVITY_TYPES = [
  'Accept',
  'Add',
  'Announce',
  'Block',
  'Create',
  'Delete',
  'FeatureRequest',
  'Flag',
  'Follow',
  'Like',
  'Move',
  'QuoteRequest',
  'Reject',
  'Remove',
  'Undo',
  'Update',
] as const
export type ActivityType = (typeof ACTIVITY_TYPES)[number]

/**
 * The type by which an activity is processed. Of several types it is the first one that is
 * supported: every check must be about the type that is then processed.
 */
export function activityTypeOf(activity: JsonObject): ActivityType | undefined {
  for (const type of typesOf(activity)) {
    const supported = ACTIVITY_TYPES.find(one => one === type)
    if (supported !== undefined) return supported
  }
  return undefined
}

/** The label under which metrics count an activity; types that may be any text share one. */
export const metricType = (activity: JsonObject): string => activityTypeOf(activity) ?? 'other'
