import { c, query } from '../../platform/database/index.ts'
import { ApiError, validationError } from '../../core/errors.ts'
import { operation, param, type Context } from '../../platform/http/index.ts'
import { parseId, type Id } from '../../core/id.ts'
import { addReport } from './add.ts'
import { REPORT_CATEGORIES, type ReportCategory } from './category.ts'
import { countCodePoints } from '../../core/text/index.ts'
import { decideForwarding } from './forward.ts'
import { renderReports } from './render.ts'

const findSubject = query(
  'moderation/reports/subject',
  { reporter: c.id, target: c.id, statuses: c.ids, collections: c.ids, rules: c.ids },
  { domain: c.nullable(c.text), statuses: c.integer, collections: c.integer, rules: c.integer, answered: c.texts },
)

const MAX_CHARACTERS = 1000

/** A list of ids in which each must be valid: an invalid id belongs to nothing. */
const idList = (description: string) => param.strings({ default: [], description })

interface Filing {
  readonly target: Id
  readonly category: ReportCategory
  readonly comment: string
  readonly statuses: readonly string[]
  readonly collections: readonly string[]
  readonly rules: readonly string[]
  readonly forward: boolean | undefined
  readonly forwardTo: readonly string[] | undefined
}

/** The ids without duplicates. @throws the given ApiError for an invalid id */
function parseIds(texts: readonly string[], failure: ApiError): Id[] {
  return [
    ...new Set(
      texts.map(text => {
        const id = parseId(text)
        if (id === undefined) throw failure
        return id
      }),
    ),
  ]
}

/** Stores a report. @throws ApiError notFound, validation */
async function storeReport({ viewer, token, database }: Context<'user'>, filing: Filing): Promise<Id> {
  const { target, comment } = filing
  const wrongRules = validationError('Rule ids does not reference valid rules')
  const statuses = parseIds(filing.statuses, new ApiError('notFound'))
  const collections = parseIds(filing.collections, new ApiError('notFound'))
  const rules = parseIds(filing.rules, wrongRules)
  const category = rules.length > 0 ? 'violation' : filing.category
  return database.transaction(async transaction => {
    const subject = await transaction.one(findSubject, { reporter: viewer.id, target, statuses, collections, rules })
    if (!subject || subject.statuses < statuses.length || subject.collections < collections.length)
      throw new ApiError('notFound')
    // Checked last: a missing account or status takes precedence over a validation error.
    if (countCodePoints(comment) > MAX_CHARACTERS) {
      throw validationError(`Comment is too long (maximum is ${MAX_CHARACTERS} characters)`)
    }
    if (subject.rules < rules.length || (category === 'violation' && rules.length === 0)) throw wrongRules
    const { forwarded, domains } = decideForwarding(subject.domain, subject.answered, filing.forward, filing.forwardTo)
    const report = await transaction.one(addReport, {
      reporter: viewer.id,
      target,
      application: token.applicationId,
      category,
      comment,
      statuses,
      collections,
      rules: rules.length > 0 ? rules : null,
      forwarded,
      forwarded_to: [...domains],
    })
    if (!report) throw new Error('the report was not stored')
    return report.id
  })
}

/** @throws ApiError when the account cannot be reported */
async function requireTarget({ viewer, database }: Context<'user'>, target: Id): Promise<void> {
  const nothing = { statuses: [], collections: [], rules: [] }
  if (!(await database.one(findSubject, { reporter: viewer.id, target, ...nothing }))) throw new ApiError('notFound')
}

export const fileReport = operation({
  method: 'POST',
  path: '/api/v1/reports',
  auth: 'user',
  scopes: ['write:reports'],
  budget: 'reports',
  summary: 'Report an account to the moderators',
  params: {
    account_id: param.id(),
    status_ids: idList('statuses of the account, even if deleted'),
    collection_ids: idList('collections of the account'),
    comment: param.string({ default: '', description: `at most ${MAX_CHARACTERS} characters` }),
    forward: param.boolean({
      optional: true,
      description: 'send a copy to other servers, without saying who reported',
    }),
    forward_to_domains: param.strings({ optional: true, description: 'servers that get the copy' }),
    category: param.enumeration(REPORT_CATEGORIES, { default: 'other' }),
    rule_ids: idList('rules that were broken; with them the category is `violation`'),
  },
  returns: 'Report',
  requireRecord: (id, context) => requireTarget(context, id),
  async handle(parameters, context) {
    const report = await storeReport(context, {
      target: parameters.account_id,
      category: parameters.category,
      comment: parameters.comment,
      statuses: parameters.status_ids,
      collections: parameters.collection_ids,
      rules: parameters.rule_ids,
      forward: parameters.forward,
      forwardTo: parameters.forward_to_domains,
    })
    const entity = (await renderReports(context, context.viewer, [report])).get(report)
    if (!entity) throw new ApiError('notFound')
    return entity
  },
})
