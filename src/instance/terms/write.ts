import { ApiError, fieldErrors, type FieldError } from '../../core/errors.ts'
import type { Id } from '../../core/id.ts'
import { countCodePoints } from '../../core/text/index.ts'
import { c, query, violatedConstraint, type Row } from '../../platform/database/index.ts'
import type { Services } from '../../platform/services.ts'

const columns = {
  id: c.id,
  text: c.text,
  changelog: c.text,
  effective_date: c.nullable(c.text),
  published_at: c.nullable(c.timestamp),
}
const changed = { id: c.id, events: c.events }
const content = { text: c.text, changelog: c.text, effective_date: c.nullable(c.date) }
const all = query('instance/terms/all', {}, columns)
const add = query('instance/terms/add', { moderator: c.nullable(c.id), ...content }, { id: c.id })
const change = query(
  'instance/terms/change',
  { moderator: c.nullable(c.id), terms: c.id, ...content },
  { taken: c.boolean, changed: c.integer },
)
const publish = query('instance/terms/publish', { moderator: c.nullable(c.id), terms: c.id }, changed)
const remove = query('instance/terms/delete', { moderator: c.nullable(c.id), terms: c.id }, changed)

const MAX_CHARACTERS = 100_000
const DAY_CHARACTERS = 10

/** Terms of service as administrators see them; a draft has no `published_at`. */
export type StoredTerms = Row<typeof columns>

/** The content of terms. */
export interface TermsDraft {
  /** Markdown; `%{domain}` stands for the domain of this server. */
  readonly text: string
  /** The changes since the previous terms; Markdown. */
  readonly changelog: string
  /** `YYYY-MM-DD`; null: not known yet. */
  readonly effectiveDate: string | null
}

/** All terms, drafts included, those that take effect last first. */
export const listTerms = ({ database }: Services): Promise<StoredTerms[]> => database.run(all, {})

const TAKEN: FieldError = { field: 'effective_date', code: 'ERR_TAKEN', message: 'has already been taken' }

/** @throws ApiError validation, with `details` by field */
function checkDraft({ text, changelog, effectiveDate }: TermsDraft, publishes: boolean): void {
  const errors: FieldError[] = []
  const refuse = (field: string, code: string, message: string): void => void errors.push({ field, code, message })
  for (const [field, value] of Object.entries({ text, changelog })) {
    if (value.trim() === '' && (field === 'text' || publishes)) refuse(field, 'ERR_BLANK', "can't be blank")
    if (countCodePoints(value) > MAX_CHARACTERS)
      refuse(field, 'ERR_TOO_LONG', `is too long (maximum is ${MAX_CHARACTERS} characters)`)
  }
  const today = new Date().toISOString().slice(0, DAY_CHARACTERS)
  if (publishes && effectiveDate === null) refuse('effective_date', 'ERR_BLANK', "can't be blank")
  if (effectiveDate !== null && effectiveDate < today) refuse('effective_date', 'ERR_PAST', 'must not be in the past')
  if (errors.length > 0) throw fieldErrors(...errors)
}

/**
 * Stores new terms, published at once or as a draft, and returns their id.
 * @param moderator null: the operator
 * @throws ApiError validation, with `details` by field
 */
export async function addTerms(
  { database }: Services,
  moderator: Id | null,
  draft: TermsDraft,
  publishes: boolean,
): Promise<Id> {
  checkDraft(draft, publishes)
  return database.transaction(async transaction => {
    const { text, changelog, effectiveDate: effective_date } = draft
    const added = await transaction.one(add, { moderator, text, changelog: changelog.trim(), effective_date })
    if (!added) throw fieldErrors(TAKEN)
    if (publishes && !(await transaction.one(publish, { moderator, terms: added.id })))
      throw new Error('the terms were not published')
    return added.id
  })
}

/**
 * Changes a draft, and publishes it if asked to.
 * @throws ApiError notFound unless it is a draft; validation, with `details` by field
 */
export async function changeTerms(
  { database }: Services,
  moderator: Id | null,
  terms: Id,
  draft: TermsDraft,
  publishes: boolean,
): Promise<void> {
  checkDraft(draft, publishes)
  const { text, changelog, effectiveDate: effective_date } = draft
  const changed = { moderator, terms, text, changelog: changelog.trim(), effective_date }
  try {
    await database.transaction(async transaction => {
      const done = await transaction.one(change, changed)
      if (!done) throw new ApiError('notFound')
      if (done.taken) throw fieldErrors(TAKEN)
      if (publishes && !(await transaction.one(publish, { moderator, terms })))
        throw new Error('the terms were not published')
    })
  } catch (error) {
    // Others got the date meanwhile.
    throw violatedConstraint(error) === 'terms_of_service_effective_date_key' ? fieldErrors(TAKEN) : error
  }
}

/** False unless it is a draft with a changelog, and a date from today on. */
export const publishTerms = async ({ database }: Services, moderator: Id | null, terms: Id): Promise<boolean> =>
  (await database.one(publish, { moderator, terms })) !== undefined

/** False if there are no such terms. */
export const deleteTerms = async ({ database }: Services, moderator: Id | null, terms: Id): Promise<boolean> =>
  (await database.one(remove, { moderator, terms })) !== undefined
