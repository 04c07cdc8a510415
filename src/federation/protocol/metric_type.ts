import { typesOf, type JsonObject } from './json.ts'

/**
 * The types that are labels of metrics; all others share one label, since they could be any text.
 */
const LABELS = new Set([
  'Accept',
  'Add',
  'Announce',
  'Block',
  'Create',
  'Delete',
  'Flag',
  'Follow',
  'Like',
  'Move',
  'QuoteRequest',
  'Reject',
  'Remove',
  'Undo',
  'Update',
])

/** The label under which metrics count an activity. */
export const metricType = (activity: JsonObject): string => typesOf(activity).find(type => LABELS.has(type)) ?? 'other'
