import { parseId, type Id } from '../core/id.ts'

const ALONE = 'ungrouped-'

/** Whether a key belongs to an ungrouped notification. */
export const isUngrouped = (key: string): boolean => key.startsWith(ALONE)

/** The key of an ungrouped notification. */
export const ungroupedKey = (id: Id): string => `${ALONE}${id}`

/** The id in the key of an ungrouped notification; undefined for the key of a group. */
export const ungroupedId = (key: string): Id | undefined =>
  isUngrouped(key) ? parseId(key.slice(ALONE.length)) : undefined
