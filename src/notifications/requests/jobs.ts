import { mergeRest } from './merge.ts'
import { removeRest } from './remove.ts'

/** What the domain leaves for later. */
export const jobs = [mergeRest, removeRest]
