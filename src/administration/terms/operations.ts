import { fieldErrorsOf } from '../../auth/sign_up/index.ts'
import { ApiError } from '../../core/errors.ts'
import type { Id } from '../../core/id.ts'
import { addTerms, changeTerms, deleteTerms, listTerms, type StoredTerms } from '../../instance/index.ts'
import { param, type AnyOperation } from '../../platform/http/index.ts'
import { mailingOperations } from '../mailings/index.ts'
import { staffForm, staffView, type FormResult, type Staff, type StaffPage } from '../index.ts'
import { formPage, listPage, PATH, type Draft } from './pages.ts'

const permissions = ['manage_settings'] as const
const text = param.string({ default: '' })
const idParam = param.id()
const FORM_PARAMETERS = {
  terms: param.object({ text, changelog: text, effective_date: text }, { missing: 400 }),
  next: param.enumeration(['save', 'publish', 'preview'], { default: 'save', fallback: 'save' }),
}
type Next = 'save' | 'publish' | 'preview'

/** @throws ApiError notFound unless it is a draft */
async function requireDraft({ context }: Staff, id: Id): Promise<StoredTerms> {
  const draft = (await listTerms(context)).find(terms => terms.id === id && terms.published_at === null)
  if (!draft) throw new ApiError('notFound')
  return draft
}

const DATE = /^\d{4}-\d\d-\d\d$/

const isDate = (value: string): boolean => {
  const date = DATE.test(value) ? new Date(`${value}T00:00:00Z`) : undefined
  return date !== undefined && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value)
}

/** Saves a new draft or a stored one, publishes it, or shows its preview. */
async function saveForm(
  staff: Staff,
  stored: StoredTerms | undefined,
  sent: Draft,
  next: Next,
): Promise<FormResult | StaffPage> {
  const { context, viewer, translator, t } = staff
  const draft: Draft = {
    text: sent.text,
    changelog: sent.changelog,
    effective_date: sent.effective_date.trim(),
  }
  if (next === 'preview') return { ...formPage(staff, stored, { draft, preview: true }), status: 200 }
  if (draft.effective_date !== '' && !isDate(draft.effective_date))
    return formPage(staff, stored, { draft, errors: { effective_date: [t('form_error.ERR_INVALID')] } })
  const content = {
    text: draft.text,
    changelog: draft.changelog,
    effectiveDate: draft.effective_date === '' ? null : draft.effective_date,
  }
  const publishes = next === 'publish'
  const errors = await fieldErrorsOf(translator, () =>
    stored
      ? changeTerms(context, viewer.id, stored.id, content, publishes)
      : addTerms(context, viewer.id, content, publishes),
  )
  if (errors) return formPage(staff, stored, { draft, errors })
  return { to: PATH, notice: t(publishes ? 'terms.published' : 'terms.saved') }
}

const showTerms = staffView({
  path: PATH,
  summary: 'List all terms of service: drafts, those in force, and older ones',
  permissions,
  params: {},
  show: (_, staff) => listPage(staff),
})

const newTerms = staffView({
  path: `${PATH}/new`,
  summary: 'Show the form for a new draft of the terms of service',
  permissions,
  params: {},
  show: (_, staff) => formPage(staff, undefined),
})

const create = staffForm({
  path: PATH,
  summary: 'Save a draft of the terms of service, or publish it',
  permissions,
  params: FORM_PARAMETERS,
  act: ({ terms, next }, staff) => saveForm(staff, undefined, terms, next),
})

const showDraft = staffView({
  path: `${PATH}/:id`,
  summary: 'Show the form for a draft of the terms of service',
  permissions,
  params: { id: idParam },
  show: async (parameters, staff) => formPage(staff, await requireDraft(staff, parameters.id)),
})

const change = staffForm({
  method: 'PUT',
  path: `${PATH}/:id`,
  summary: 'Change a draft of the terms of service, or publish it',
  permissions,
  params: { id: idParam, ...FORM_PARAMETERS },
  act: async ({ id, terms, next }, staff) => saveForm(staff, await requireDraft(staff, id), terms, next),
})

const remove = staffForm({
  method: 'DELETE',
  path: `${PATH}/:id`,
  summary: 'Delete terms of service',
  permissions,
  params: { id: idParam, sure: param.boolean({ default: false }) },
  async act({ id, sure }, { context, viewer, t }) {
    const isPublished = (await listTerms(context)).some(terms => terms.id === id && terms.published_at !== null)
    if (isPublished && !sure) return { to: PATH, alert: t('accounts.not_sure') }
    if (!(await deleteTerms(context, viewer.id, id))) throw new ApiError('notFound')
    return { to: PATH, notice: t('terms.deleted') }
  },
})

const mailings = mailingOperations({
  kind: 'terms',
  navigationPath: PATH,
  title: 'terms.title',
})

export const operations: readonly AnyOperation[] = [showTerms, newTerms, create, showDraft, change, remove, ...mailings]
