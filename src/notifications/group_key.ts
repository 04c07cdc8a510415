import { parseId, type Id } from '../core/id.ts'

const ALONE = 'ungrouped-'

/** Whether a key is of a notification that stands alone. */
export const isAlone = (key: string): boolean => key.startsWith(ALONE)

/** The id in the key of a notification that stands alone; undefined for the key of a group. */
export const aloneId = (key: string): Id | undefined => (isAlone(key) ? parseId(key.slice(ALONE.length)) : undefined)
