import { ApiError } from '../../core/errors.ts'
import type { Id } from '../../core/id.ts'
import { LANGUAGES } from '../../core/languages/index.ts'
import {
  addRule,
  changeRule,
  deleteRule,
  ruleErrorOf,
  MAX_RULE_CHARACTERS,
  moveRule,
  renderRules,
  type Rule,
} from '../../instance/index.ts'
import { param, type AnyOperation } from '../../platform/http/index.ts'
import { staffForm, staffView, type Staff } from '../index.ts'
import { listPage, PATH, rulePage } from './pages.ts'

const permissions = ['manage_rules'] as const
const text = param.string({ default: '' })
const id = param.id()
const rule = param.object({ text, hint: text }, { missing: 400 })

/** @throws ApiError notFound */
async function requireRule({ context }: Staff, wanted: Id): Promise<Rule> {
  const found = (await renderRules(context)).find(one => one.id === wanted)
  if (!found) throw new ApiError('notFound')
  return found
}

function errorIn(given: string, { t }: Staff): string | undefined {
  const fault = ruleErrorOf(given)
  if (fault === undefined) return undefined
  return fault === 'blank' ? t('fault.ERR_BLANK') : t('fault.ERR_TOO_LONG', { count: MAX_RULE_CHARACTERS })
}

const showRules = staffView({
  path: PATH,
  summary: 'The rules of the server, in order',
  permissions,
  params: {},
  show: (_, staff) => listPage(staff),
})

const createRule = staffForm({
  path: PATH,
  summary: 'Add a rule after the others',
  permissions,
  params: { rule },
  async act({ rule: draft }, staff) {
    const error = errorIn(draft.text, staff)
    if (error !== undefined) return listPage(staff, { ...draft, error })
    await addRule(staff.context, staff.viewer.id, draft)
    return { to: PATH, notice: staff.t('rule_pages.added') }
  },
})

const showRule = staffView({
  path: `${PATH}/:id`,
  summary: 'A rule of the server with its translations',
  permissions,
  params: { id },
  show: async (parameters, staff) => rulePage(staff, await requireRule(staff, parameters.id)),
})

const updateRule = staffForm({
  method: 'PUT',
  path: `${PATH}/:id`,
  summary: 'Change a rule',
  permissions,
  params: { id, rule },
  async act({ id: changed, rule: draft }, staff) {
    const found = await requireRule(staff, changed)
    const error = errorIn(draft.text, staff)
    if (error !== undefined) return rulePage(staff, found, { ...draft, error })
    await changeRule(staff.context, staff.viewer.id, changed, draft)
    return { to: PATH, notice: staff.t('rule_pages.changed') }
  },
})

const translateRule = staffForm({
  method: 'PUT',
  path: `${PATH}/:id/translations`,
  summary: 'Change the translation of a rule into a language; a blank text removes it',
  permissions,
  params: { id, translation: param.object({ language: text, text, hint: text }, { missing: 400 }) },
  async act({ id: changed, translation }, staff) {
    const found = await requireRule(staff, changed)
    const isLanguage = LANGUAGES.some(({ code }) => code === translation.language)
    const removes = translation.text.trim() === '' && Object.hasOwn(found.translations, translation.language)
    const error = isLanguage ? (removes ? undefined : errorIn(translation.text, staff)) : staff.t('fault.ERR_INVALID')
    if (error !== undefined) return rulePage(staff, found, found, { ...translation, error })
    await changeRule(staff.context, staff.viewer.id, changed, translation)
    return { to: `${PATH}/${changed}#translations`, notice: staff.t('rule_pages.changed') }
  },
})

const reorderRule = staffForm({
  path: `${PATH}/:id/move`,
  summary: 'Exchange a rule with its neighbour',
  permissions,
  params: { id, direction: param.enumeration(['up', 'down'], { missing: 400 }) },
  async act({ id: moved, direction }, { context, viewer, t }) {
    if (!(await moveRule(context, viewer.id, moved, direction))) throw new ApiError('notFound')
    return { to: PATH, notice: t('rule_pages.moved') }
  },
})

const removeRule = staffForm({
  method: 'DELETE',
  path: `${PATH}/:id`,
  summary: 'Delete a rule',
  permissions,
  params: { id },
  async act({ id: removed }, { context, viewer, t }) {
    if (!(await deleteRule(context, viewer.id, removed))) throw new ApiError('notFound')
    return { to: PATH, notice: t('rule_pages.deleted') }
  },
})

export const operations: readonly AnyOperation[] = [
  showRules,
  createRule,
  showRule,
  updateRule,
  translateRule,
  reorderRule,
  removeRule,
]
