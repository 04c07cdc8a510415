import { typesOf, type JsonObject } from './json.ts'

/** Types that metrics count by name; the others share one label, since they could be any text. */
const COUNTED = new Set([
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

/** The type under which an activity is counted. */
export const countedType = (activity: JsonObject): string =>
  typesOf(activity).find(type => COUNTED.has(type)) ?? 'other'
