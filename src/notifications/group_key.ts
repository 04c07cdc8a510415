import { parseId, type Id } from '../core/id.ts'

const ALONE = 'ungrouped-'

/** Whether a key belongs to an ungrouped notification. */
export const isAlone = (key: string): boolean => key.startsWith(ALONE)

/** The id in the key of an ungrouped notification; undefined for the key of a group. */
export const aloneId = (key: string): Id | undefined => (isAlone(key) ? parseId(key.slice(ALONE.length)) : undefined)
