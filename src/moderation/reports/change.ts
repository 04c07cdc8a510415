import { ApiError, validationError } from '../../core/errors.ts'
import { parseId, type Id } from '../../core/id.ts'
import { c, query, type Database, type Runner } from '../../platform/database/index.ts'
import { REPORT_CATEGORIES, type ReportCategory } from './category.ts'

const CHANGED = { changed: c.integer, events: c.events } as const
const lockReport = query(
  'moderation/reports/lock',
  { report: c.id, rules: c.ids },
  { category: c.text, rule_ids: c.nullable(c.ids), known_rules: c.integer },
)
const setCategory = query(
  'moderation/reports/categorize',
  { moderator: c.nullable(c.id), report: c.id, category: c.text, rules: c.nullable(c.ids) },
  CHANGED,
)
const assign = query(
  'moderation/reports/assign',
  { moderator: c.nullable(c.id), report: c.id, assignee: c.nullable(c.id) },
  CHANGED,
)
const reopen = query('moderation/reports/reopen', { moderator: c.nullable(c.id), report: c.id }, CHANGED)

/**
 * Changes the category of a report, and the rules that were broken; absent values stay. Rules need
 * the category `violation`, and that needs rules; with another category they are removed. The audit
 * log gets an entry.
 * @param moderator null for the operator; the caller checks the permission manage_reports
 * @throws ApiError notFound, validation
 */
export const categorizeReport = (
  database: Database,
  moderator: Id | null,
  report: Id,
  { category, ruleIds }: { readonly category?: string | undefined; readonly ruleIds?: readonly string[] | undefined },
): Promise<void> =>
  database.transaction(async transaction => {
    const ids = ruleIds?.map(parseId)
    const known = [...new Set(ids?.filter(id => id !== undefined))]
    const old = await transaction.one(lockReport, { report, rules: known })
    if (!old) throw new ApiError('notFound')
    if (category !== undefined && !REPORT_CATEGORIES.some(one => one === category))
      throw validationError('Category is not included in the list')
    const wanted = category ?? old.category
    if (wanted !== ('violation' satisfies ReportCategory)) {
      if (ruleIds && ruleIds.length > 0) throw validationError('Rule ids must be blank')
      await transaction.run(setCategory, { moderator, report, category: wanted, rules: null })
      return
    }
    const isValid = ids === undefined || (!ids.includes(undefined) && old.known_rules === known.length)
    const rules = ids === undefined ? old.rule_ids : known
    if (!isValid || rules === null || rules.length === 0)
      throw validationError('Rule ids does not reference valid rules')
    await transaction.run(setCategory, { moderator, report, category: wanted, rules })
  })

/**
 * Makes a moderator responsible for a report, with an entry in the audit log.
 * @param assignee null: nobody
 */
export const assignReport = async (
  runner: Runner,
  moderator: Id | null,
  report: Id,
  assignee: Id | null,
): Promise<void> => void (await runner.run(assign, { moderator, report, assignee }))

/** Opens a resolved report again, with an entry in the audit log. */
export const reopenReport = async (runner: Runner, moderator: Id | null, report: Id): Promise<void> =>
  void (await runner.run(reopen, { moderator, report }))
