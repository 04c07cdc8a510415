import { BASE_ROLE, listRoles } from '../../auth/roles/index.ts'
import { createMember } from '../../auth/user_access/index.ts'
import type { Id } from '../../core/id.ts'
import { hasPermission } from '../../core/permissions.ts'
import { param } from '../../platform/http/index.ts'
import { checkbox, field, form, select, submit } from '../../platform/ui/index.ts'
import { staffForm, staffView, type Staff, type StaffPage } from '../index.ts'
import { ACCOUNTS_PATH } from './list.ts'
import { accountPath } from './account_page.ts'

const permissions = ['manage_user_access'] as const

interface AccountInput {
  readonly username: string
  readonly email: string
  readonly confirmed: boolean
  readonly role_id?: Id | undefined
}

async function createPage(staff: Staff, input: AccountInput, alert?: string): Promise<StaffPage> {
  const { context, t, viewer, webSession } = staff
  const roles = hasPermission(viewer, 'manage_roles') ? await listRoles(context.database) : []
  return {
    title: t('accounts.create'),
    navigationPath: ACCOUNTS_PATH,
    breadcrumbs: [[ACCOUNTS_PATH, t('accounts.title')]],
    alert,
    body: form({ action: ACCOUNTS_PATH, csrfToken: webSession.csrfToken() }, [
      field({
        label: t('accounts.username'),
        name: 'username',
        value: input.username,
        maxLength: 30,
        required: true,
        verbatim: true,
        autocomplete: 'off',
      }),
      field({
        label: t('accounts.email'),
        name: 'email',
        type: 'email',
        value: input.email,
        required: true,
        verbatim: true,
        autocomplete: 'off',
      }),
      checkbox({
        label: t('accounts.create_confirmed'),
        name: 'confirmed',
        required: false,
        checked: input.confirmed,
        hint: t('accounts.create_confirmed_hint'),
      }),
      field({
        label: t('accounts.create_password'),
        name: 'password',
        type: 'password',
        autocomplete: 'new-password',
        hint: t('accounts.create_password_hint'),
      }),
      roles.length > 0 &&
        select({
          label: t('accounts.role'),
          name: 'role_id',
          choices: roles
            .filter(({ id, position }) => id === BASE_ROLE || position <= viewer.rolePosition)
            .map(({ id, name }) => [id === BASE_ROLE ? '' : id, id === BASE_ROLE ? t('accounts.no_role') : name]),
          value: input.role_id ?? '',
        }),
      submit(t('accounts.create')),
    ]),
  }
}

const newAccount = staffView({
  path: `${ACCOUNTS_PATH}/new`,
  summary: 'Show the form that creates a local account',
  permissions,
  params: {},
  show: (_, staff) => createPage(staff, { username: '', email: '', confirmed: false }),
})

const createAccount = staffForm({
  path: ACCOUNTS_PATH,
  summary: 'Create a local account',
  permissions,
  params: {
    username: param.string({ default: '', trim: true }),
    email: param.string({ default: '', trim: true }),
    password: param.string({ default: '' }),
    confirmed: param.boolean({ default: false }),
    role_id: param.id({ optional: true }),
  },
  async act({ role_id: role, ...input }, { context, viewer, t }) {
    const id = await createMember(context.database, viewer.id, { ...input, role: role ?? null })
    return {
      to: hasPermission(viewer, 'manage_users') ? accountPath(id) : `${ACCOUNTS_PATH}/new`,
      notice: t('accounts.created_one'),
    }
  },
  showError: (input, staff, message) => createPage(staff, input, message),
})

export const createOperations = [newAccount, createAccount]
