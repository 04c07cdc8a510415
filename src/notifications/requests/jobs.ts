import { mergeRest } from './merge.ts'
import { removeRest } from './remove.ts'

/** Background jobs of this folder. */
export const jobs = [mergeRest, removeRest]
