import { applyRule } from './apply.ts'
import { liftRule } from './lift.ts'
import { purgeDomain } from './purge.ts'

/** Background jobs of domain rules. */
export const jobs = [applyRule, liftRule, purgeDomain]
