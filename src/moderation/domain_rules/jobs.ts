import { applyRule } from './apply.ts'
import { liftRule } from './lift.ts'
import { purgeDomain } from './purge.ts'

/** What rules about domains leave for later. */
export const jobs = [applyRule, liftRule, purgeDomain]
