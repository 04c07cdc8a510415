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
const idParam = param.id()
const ruleParam = param.object({ text, hint: text }, { missing: 400 })

/** @throws ApiError notFound */
async function requireRule({ context }: Staff, id: Id): Promise<Rule> {
  const rule = (await renderRules(context)).find(candidate => candidate.id === id)
  if (!rule) throw new ApiError('notFound')
  return rule
}

function describeError(ruleText: string, { t }: Staff): string | undefined {
  const error = ruleErrorOf(ruleText)
  if (error === undefined) return undefined
  return error === 'blank' ? t('form_error.ERR_BLANK') : t('form_error.ERR_TOO_LONG', { count: MAX_RULE_CHARACTERS })
}

const showRules = staffView({
  path: PATH,
  summary: 'List the rules of the server, in order',
  permissions,
  params: {},
  show: (_, staff) => listPage(staff),
})

const createRule = staffForm({
  path: PATH,
  summary: 'Add a rule after the others',
  permissions,
  params: { rule: ruleParam },
  async act({ rule: draft }, staff) {
    const error = describeError(draft.text, staff)
    if (error !== undefined) return listPage(staff, { ...draft, error })
    await addRule(staff.context, staff.viewer.id, draft)
    return { to: PATH, notice: staff.t('rule_pages.added') }
  },
})

const showRule = staffView({
  path: `${PATH}/:id`,
  summary: 'Show a rule of the server with its translations',
  permissions,
  params: { id: idParam },
  show: async (parameters, staff) => rulePage(staff, await requireRule(staff, parameters.id)),
})

const updateRule = staffForm({
  method: 'PUT',
  path: `${PATH}/:id`,
  summary: 'Change a rule',
  permissions,
  params: { id: idParam, rule: ruleParam },
  async act({ id, rule: draft }, staff) {
    const rule = await requireRule(staff, id)
    const error = describeError(draft.text, staff)
    if (error !== undefined) return rulePage(staff, rule, { ...draft, error })
    await changeRule(staff.context, staff.viewer.id, id, draft)
    return { to: PATH, notice: staff.t('rule_pages.changed') }
  },
})

const translateRule = staffForm({
  method: 'PUT',
  path: `${PATH}/:id/translations`,
  summary: 'Change the translation of a rule into a language; a blank text removes it',
  permissions,
  params: { id: idParam, translation: param.object({ language: text, text, hint: text }, { missing: 400 }) },
  async act({ id, translation }, staff) {
    const rule = await requireRule(staff, id)
    const isLanguage = LANGUAGES.some(({ code }) => code === translation.language)
    const removes = translation.text.trim() === '' && Object.hasOwn(rule.translations, translation.language)
    const error = isLanguage
      ? removes
        ? undefined
        : describeError(translation.text, staff)
      : staff.t('form_error.ERR_INVALID')
    if (error !== undefined) return rulePage(staff, rule, rule, { ...translation, error })
    await changeRule(staff.context, staff.viewer.id, id, translation)
    return { to: `${PATH}/${id}#translations`, notice: staff.t('rule_pages.changed') }
  },
})

const reorderRule = staffForm({
  path: `${PATH}/:id/move`,
  summary: 'Move a rule one place up or down',
  permissions,
  params: { id: idParam, direction: param.enumeration(['up', 'down'], { missing: 400 }) },
  async act({ id, direction }, { context, viewer, t }) {
    if (!(await moveRule(context, viewer.id, id, direction))) throw new ApiError('notFound')
    return { to: PATH, notice: t('rule_pages.moved') }
  },
})

const removeRule = staffForm({
  method: 'DELETE',
  path: `${PATH}/:id`,
  summary: 'Delete a rule',
  permissions,
  params: { id: idParam },
  async act({ id }, { context, viewer, t }) {
    if (!(await deleteRule(context, viewer.id, id))) throw new ApiError('notFound')
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
