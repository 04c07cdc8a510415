import { param } from '../../platform/http/index.ts'
import {
  checkbox,
  field,
  foldedFilterForm,
  hidden,
  href,
  html,
  pageLinks,
  select,
  table,
} from '../../platform/ui/index.ts'
import { staffView } from '../index.ts'
import { readLog } from './entries.ts'
import { ACTIONS, actionName, entryCells, logColumns, TARGET_TYPES, targetTypeName } from './entry_html.ts'

const PATH = '/admin/audit_log'
const PAGE_SIZE = 50

const showLog = staffView({
  path: PATH,
  summary: "List the log of moderators' actions",
  permissions: ['view_audit_log'],
  params: {
    moderator: param.string({ default: '', trim: true }),
    operator: param.boolean({ default: false }),
    action_type: param.string({ default: '' }),
    target_type: param.string({ default: '' }),
    target_id: param.id({ optional: true, invalid: 'missing' }),
    max_id: param.cursor(),
    min_id: param.cursor(),
  },
  async show({ max_id, min_id, ...filter }, { context, t, translator }) {
    const { moderator, operator, action_type: action, target_type: type, target_id: target } = filter
    const username = moderator.replace(/^@/, '')
    const page = await readLog(
      context.database,
      {
        moderator: operator ? '' : username === '' ? undefined : username,
        action: action === '' ? undefined : action,
        target_type: type === '' ? undefined : type,
        target_id: target,
        max_id,
        min_id,
      },
      PAGE_SIZE,
    )
    const parameters = { ...filter, operator: operator ? '1' : '' }
    const fields = [
      field({ label: t('audit_log.moderator'), name: 'moderator', value: moderator, type: 'search', verbatim: true }),
      select({
        label: t('audit_log.action'),
        name: 'action_type',
        choices: [['', t('staff.any')], ...ACTIONS.map(name => [name, actionName(translator, name)] as const)],
        value: action,
      }),
      select({
        label: t('audit_log.target'),
        name: 'target_type',
        choices: [['', t('staff.any')], ...TARGET_TYPES.map(name => [name, targetTypeName(translator, name)] as const)],
        value: type,
      }),
      checkbox({ label: t('audit_log.operator_only'), name: 'operator', required: false, checked: operator }),
      target !== undefined && hidden('target_id', target),
    ]
    const isFiltered = Object.values(parameters).some(value => value !== '' && value !== undefined)
    const [first, last] = [page.entries[0], page.entries.at(-1)]
    return {
      title: t('audit_log.title'),
      navigationPath: PATH,
      body: html`${foldedFilterForm(PATH, t('staff.filter'), fields, isFiltered)}
      ${table({
        caption: t('audit_log.title'),
        columns: logColumns(translator),
        rows: page.entries.map(entry => entryCells(entry, translator)),
        empty: t('audit_log.none'),
      })}
      ${pageLinks(translator, {
        newer: page.hasNewer && first ? href(PATH, { ...parameters, min_id: first.id }) : undefined,
        older: page.hasOlder && last ? href(PATH, { ...parameters, max_id: last.id }) : undefined,
      })}`,
    }
  },
})

export const pageOperations = [showLog]
