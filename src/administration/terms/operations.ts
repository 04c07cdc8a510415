import { fieldErrorsOf } from '../../auth/sign_up/index.ts'
import { ApiError } from '../../core/errors.ts'
import type { Id } from '../../core/id.ts'
import { addTerms, changeTerms, deleteTerms, listTerms, type StoredTerms } from '../../instance/index.ts'
import { param, type AnyOperation } from '../../platform/http/index.ts'
import { mailingOperations } from '../mailings/index.ts'
import { staffForm, staffView, type Done, type Staff, type StaffPage } from '../index.ts'
import { formPage, listPage, PATH, type Draft } from './pages.ts'

const permissions = ['manage_settings'] as const
const text = param.string({ default: '' })
const id = param.id()
const FORM = {
  terms: param.object({ text, changelog: text, effective_date: text }, { missing: 400 }),
  next: param.enumeration(['save', 'publish', 'preview'], { default: 'save', fallback: 'save' }),
}
type Next = 'save' | 'publish' | 'preview'

/** @throws ApiError notFound unless it is a draft */
async function requireDraft({ context }: Staff, wanted: Id): Promise<StoredTerms> {
  const found = (await listTerms(context)).find(one => one.id === wanted && one.published_at === null)
  if (!found) throw new ApiError('notFound')
  return found
}

const DAY = /^\d{4}-\d\d-\d\d$/

const isDay = (given: string): boolean => {
  const moment = DAY.test(given) ? new Date(`${given}T00:00:00Z`) : undefined
  return moment !== undefined && !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(given)
}

/** Saves a new draft or a stored one, publishes it, or shows its preview. */
async function save(
  staff: Staff,
  stored: StoredTerms | undefined,
  given: Draft,
  next: Next,
): Promise<Done | StaffPage> {
  const { context, viewer, translator, t } = staff
  const draft: Draft = {
    text: given.text.replaceAll('\r\n', '\n'),
    changelog: given.changelog.replaceAll('\r\n', '\n'),
    effective_date: given.effective_date.trim(),
  }
  if (next === 'preview') return { ...formPage(staff, stored, { draft, preview: true }), status: 200 }
  if (draft.effective_date !== '' && !isDay(draft.effective_date))
    return formPage(staff, stored, { draft, errors: { effective_date: [t('fault.ERR_INVALID')] } })
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
  summary: 'All terms of service: drafts, those in force, and older ones',
  permissions,
  params: {},
  show: (_, staff) => listPage(staff),
})

const newTerms = staffView({
  path: `${PATH}/new`,
  summary: 'Form for a new draft of the terms of service',
  permissions,
  params: {},
  show: (_, staff) => formPage(staff, undefined),
})

const create = staffForm({
  path: PATH,
  summary: 'Store a draft of the terms of service, or publish it',
  permissions,
  params: FORM,
  act: ({ terms, next }, staff) => save(staff, undefined, terms, next),
})

const showDraft = staffView({
  path: `${PATH}/:id`,
  summary: 'Form for a draft of the terms of service',
  permissions,
  params: { id },
  show: async (parameters, staff) => formPage(staff, await requireDraft(staff, parameters.id)),
})

const change = staffForm({
  method: 'PUT',
  path: `${PATH}/:id`,
  summary: 'Change a draft of the terms of service, or publish it',
  permissions,
  params: { id, ...FORM },
  act: async ({ id: changed, terms, next }, staff) => save(staff, await requireDraft(staff, changed), terms, next),
})

const remove = staffForm({
  method: 'DELETE',
  path: `${PATH}/:id`,
  summary: 'Delete terms of service',
  permissions,
  params: { id },
  async act({ id: removed }, { context, viewer, t }) {
    if (!(await deleteTerms(context, viewer.id, removed))) throw new ApiError('notFound')
    return { to: PATH, notice: t('terms.deleted') }
  },
})

const mailings = mailingOperations({ kind: 'terms', place: PATH, title: 'terms.title', permission: 'manage_settings' })

export const operations: readonly AnyOperation[] = [showTerms, newTerms, create, showDraft, change, remove, ...mailings]
