import { ApiError } from '../../core/errors.ts'
import type { Id } from '../../core/id.ts'
import {
  changeWarningPreset,
  createWarningPreset,
  deleteWarningPreset,
  findWarningPreset,
  listWarningPresets,
  type WarningPresetInput,
} from '../../moderation/index.ts'
import { param } from '../../platform/http/index.ts'
import {
  actionButton,
  field,
  form,
  html,
  linkButton,
  paragraphs,
  submit,
  table,
  textArea,
} from '../../platform/ui/index.ts'
import { staffForm, staffView, type Staff, type StaffPage } from '../index.ts'

const PATH = '/admin/warning_presets'
const permissions = ['manage_settings'] as const

const showList = staffView({
  path: PATH,
  summary: 'List the warning presets, texts that moderators choose for their messages',
  permissions,
  params: {},
  async show(_, { context, webSession, t }) {
    const presets = await listWarningPresets(context.database)
    const rows = presets.map(({ id, title, text }) => [
      html`<a href="${PATH}/${id}/edit">${title || t('warning_presets.untitled')}</a>`,
      paragraphs(text),
      actionButton({
        action: `${PATH}/${id}`,
        method: 'delete',
        csrfToken: webSession.csrfToken(),
        label: t('staff.delete'),
        kind: 'danger',
      }),
    ])
    return {
      title: t('warning_presets.title'),
      navigationPath: PATH,
      actions: linkButton(`${PATH}/new`, t('staff.add'), 'primary'),
      body: html`<p>${t('warning_presets.intro')}</p>
        ${table({
          caption: t('warning_presets.title'),
          columns: [
            { label: t('warning_presets.name') },
            { label: t('warning_presets.text') },
            { label: t('staff.actions'), kind: 'actions' },
          ],
          rows,
          empty: t('warning_presets.none'),
        })}`,
    }
  },
})

function formPage({ webSession, t }: Staff, input: WarningPresetInput & { id?: Id }, alert?: string): StaffPage {
  const { id } = input
  const fields = [
    field({
      label: t('warning_presets.name'),
      name: 'title',
      value: input.title,
      maxLength: 255,
      hint: t('warning_presets.name_hint'),
    }),
    textArea({ label: t('warning_presets.text'), name: 'text', value: input.text, rows: 8, required: true }),
    submit(t(id === undefined ? 'staff.add' : 'staff.save')),
  ]
  const csrfToken = webSession.csrfToken()
  return {
    title: t(id === undefined ? 'warning_presets.add' : 'warning_presets.edit'),
    navigationPath: PATH,
    breadcrumbs: [[PATH, t('warning_presets.title')]],
    alert,
    body:
      id === undefined
        ? form({ action: PATH, csrfToken }, fields)
        : form({ action: `${PATH}/${id}`, method: 'put', csrfToken }, fields),
  }
}

const params = { title: param.string({ default: '' }), text: param.string({ default: '' }) } as const

const showNewPreset = staffView({
  path: `${PATH}/new`,
  summary: 'Show the form that adds a warning preset',
  permissions,
  params: {},
  show: (_, staff) => formPage(staff, { title: '', text: '' }),
})

const createPreset = staffForm({
  path: PATH,
  summary: 'Add a warning preset',
  permissions,
  params,
  async act(input, { context, viewer, t }) {
    await createWarningPreset(context.database, viewer.id, input)
    return { to: PATH, notice: t('staff.added') }
  },
  showError: (input, staff, message) => formPage(staff, input, message),
})

const showPreset = staffView({
  path: `${PATH}/:id/edit`,
  summary: 'Show the form that changes a warning preset',
  permissions,
  params: { id: param.id() },
  async show({ id }, staff) {
    const preset = await findWarningPreset(staff.context.database, id)
    if (!preset) throw new ApiError('notFound')
    return formPage(staff, preset)
  },
})

const changePreset = staffForm({
  path: `${PATH}/:id`,
  method: 'PUT',
  summary: 'Change a warning preset',
  permissions,
  params: { id: param.id(), ...params },
  async act({ id, ...input }, { context, viewer, t }) {
    await changeWarningPreset(context.database, viewer.id, id, input)
    return { to: PATH, notice: t('staff.saved') }
  },
  showError: (input, staff, message) => formPage(staff, input, message),
})

const removePreset = staffForm({
  path: `${PATH}/:id`,
  method: 'DELETE',
  summary: 'Delete a warning preset',
  permissions,
  params: { id: param.id() },
  async act({ id }, { context, viewer, t }) {
    await deleteWarningPreset(context.database, viewer.id, id)
    return { to: PATH, notice: t('staff.deleted') }
  },
})

export const pageOperations = [showList, showNewPreset, createPreset, showPreset, changePreset, removePreset]
