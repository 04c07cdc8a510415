import { applyRule } from './apply.ts'
import { undoRule } from './undo_rule.ts'
import { purgeDomain } from './purge.ts'

/** Background jobs of domain rules. */
export const jobs = [applyRule, undoRule, purgeDomain]
