import { typesOf, type JsonObject } from './json.ts'

/** Types with a count of their own in metrics: others could be any text. */
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
