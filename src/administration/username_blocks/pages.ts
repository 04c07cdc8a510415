import { ApiError } from '../../core/errors.ts'
import type { Id } from '../../core/id.ts'
import {
  BLOCKED_USERNAME,
  blockUsername,
  changeUsernameBlock,
  listUsernameBlocks,
  removeUsernameBlocks,
  type UsernameBlock,
} from '../../moderation/username_blocks/index.ts'
import { param } from '../../platform/http/index.ts'
import { badge, batch, checkbox, field, form, html, linkButton, select, submit } from '../../platform/ui/index.ts'
import { staffBatch, staffForm, staffView, type Staff, type StaffPage } from '../index.ts'

const PATH = '/admin/username_blocks'
const permissions = ['manage_blocks'] as const

const showList = staffView({
  path: PATH,
  summary: 'List the usernames that may not sign up',
  permissions,
  params: {},
  async show(_, { context, webSession, t, translator }) {
    const blocks = await listUsernameBlocks(context.database)
    const items = blocks.map(({ id, username, exact, allow_with_approval: approval }) => ({
      value: id,
      name: username,
      content: html`<div class="line">
        <a href="${PATH}/${id}/edit"><strong>${username}</strong></a>
        ${badge(t(exact ? 'username_blocks.exact' : 'username_blocks.contains'))}
        ${approval ? badge(t('username_blocks.approval'), 'warning') : badge(t('username_blocks.refused'), 'bad')}
      </div>`,
    }))
    const list = batch({
      translator,
      action: `${PATH}/batch`,
      csrfToken: webSession.csrfToken(),
      buttons: [{ value: 'delete', label: t('staff.delete'), kind: 'danger' }],
      items,
      empty: t('username_blocks.none'),
    })
    return {
      title: t('username_blocks.title'),
      navigationPath: PATH,
      actions: linkButton(`${PATH}/new`, t('staff.add'), 'primary'),
      body: html`<p>${t('username_blocks.intro')}</p>
        ${list}`,
      scripts: ['/assets/batch.js'],
    }
  },
})

interface UsernameBlockInput extends UsernameBlock {
  readonly id?: Id
}

function formPage({ webSession, t }: Staff, input: UsernameBlockInput, error?: string): StaffPage {
  const { id } = input
  const fields = [
    field({
      label: t('username_blocks.username'),
      name: 'username',
      value: input.username,
      maxLength: 30,
      required: true,
      verbatim: true,
      hint: t('username_blocks.username_hint'),
      errors: error === undefined ? [] : [error],
    }),
    select({
      label: t('username_blocks.match'),
      name: 'comparison',
      choices: [
        ['exact', t('username_blocks.exact')],
        ['contains', t('username_blocks.contains')],
      ],
      value: input.exact ? 'exact' : 'contains',
    }),
    checkbox({
      label: t('username_blocks.allow_with_approval'),
      name: 'allow_with_approval',
      required: false,
      checked: input.allow_with_approval,
    }),
    submit(t(id === undefined ? 'staff.add' : 'staff.save')),
  ]
  return {
    title: t(id === undefined ? 'username_blocks.add' : 'username_blocks.edit'),
    navigationPath: PATH,
    breadcrumbs: [[PATH, t('username_blocks.title')]],
    body:
      id === undefined
        ? form({ action: PATH, csrfToken: webSession.csrfToken() }, fields)
        : form({ action: `${PATH}/${id}`, method: 'put', csrfToken: webSession.csrfToken() }, fields),
  }
}

const params = {
  username: param.string({ default: '', trim: true }),
  comparison: param.enumeration(['exact', 'contains'], { default: 'exact' }),
  allow_with_approval: param.boolean({ default: false }),
} as const

interface SentForm {
  readonly username: string
  readonly comparison: 'exact' | 'contains'
  readonly allow_with_approval: boolean
}

const toBlock = ({ username, comparison, allow_with_approval }: SentForm): UsernameBlock => ({
  username,
  exact: comparison === 'exact',
  allow_with_approval,
})

const showNewBlock = staffView({
  path: `${PATH}/new`,
  summary: 'Show the form that blocks a username',
  permissions,
  params: {},
  show: (_, staff) => formPage(staff, { username: '', exact: true, allow_with_approval: false }),
})

const createBlock = staffForm({
  path: PATH,
  summary: 'Block a username',
  permissions,
  params,
  async act(sent, staff) {
    const { context, viewer, t } = staff
    const block = toBlock(sent)
    if (!BLOCKED_USERNAME.test(block.username)) return formPage(staff, block, t('form_error.username.ERR_INVALID'))
    const added = await blockUsername(context.database, viewer.id, block)
    if (!added) return formPage(staff, block, t('form_error.ERR_TAKEN'))
    return { to: PATH, notice: t('staff.added') }
  },
})

const showBlock = staffView({
  path: `${PATH}/:id/edit`,
  summary: 'Show the form that changes the block of a username',
  permissions,
  params: { id: param.id() },
  async show({ id }, staff) {
    const block = (await listUsernameBlocks(staff.context.database)).find(candidate => candidate.id === id)
    if (!block) throw new ApiError('notFound')
    return formPage(staff, block)
  },
})

const changeBlock = staffForm({
  path: `${PATH}/:id`,
  method: 'PUT',
  summary: 'Change the block of a username',
  permissions,
  params: { id: param.id(), ...params },
  async act({ id, ...sent }, staff) {
    const { context, viewer, t } = staff
    const block = toBlock(sent)
    if (!BLOCKED_USERNAME.test(block.username))
      return formPage(staff, { ...block, id }, t('form_error.username.ERR_INVALID'))
    await changeUsernameBlock(context.database, viewer.id, id, block)
    return { to: PATH, notice: t('staff.saved') }
  },
  showError: ({ id, ...sent }, staff) => formPage(staff, { ...toBlock(sent), id }, staff.t('form_error.ERR_TAKEN')),
})

const removeSelected = staffBatch({
  path: `${PATH}/batch`,
  summary: 'Unblock usernames',
  permissions,
  changes: ['delete'],
  list: PATH,
  act: (_, ids, { context, viewer }) => removeUsernameBlocks(context.database, viewer.id, ids),
})

export const pageOperations = [showList, showNewBlock, createBlock, showBlock, changeBlock, removeSelected]
