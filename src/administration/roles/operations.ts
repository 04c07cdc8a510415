import { BASE_ROLE, changeRole, createRole, deleteRole, findRole, type Role } from '../../auth/roles/index.ts'
import { fieldErrorsOf } from '../../auth/sign_up/index.ts'
import { ApiError } from '../../core/errors.ts'
import { param, type AnyOperation } from '../../platform/http/index.ts'
import { staffForm, staffView, type Staff } from '../index.ts'
import { toRoleInput, parsePermissions, type Draft } from './draft.ts'
import { listPage, mayChange, findOwnRole, PATH, rolePage } from './pages.ts'

const permissions = ['manage_roles'] as const
const text = param.string({ default: '' })
const flag = param.boolean({ default: false })
/** The id of a role. A text, because the base role's id is negative, unlike all other ids. */
const idParam = param.string({ missing: 404 })
const roleParam = param.object(
  {
    name: text,
    color: text,
    position: text,
    permissions: param.record({ default: {} }),
    highlighted: flag,
    require_2fa: flag,
    collection_limit: text,
  },
  { missing: 400 },
)

/** @throws ApiError notFound */
async function requireRole({ context }: Staff, id: string): Promise<Role> {
  const role = await findRole(context.database, id)
  if (!role) throw new ApiError('notFound')
  return role
}

const showRoles = staffView({
  path: PATH,
  summary: 'List the roles with their permissions',
  permissions,
  params: {},
  show: (_, staff) => listPage(staff),
})

const newRole = staffView({
  path: `${PATH}/new`,
  summary: 'Show the form for a new role',
  permissions,
  params: {},
  show: async (_, staff) => rolePage(staff, undefined, await findOwnRole(staff)),
})

const createRoleForm = staffForm({
  path: PATH,
  summary: 'Create a role',
  permissions,
  params: { role: roleParam },
  async act({ role: fields }, staff) {
    const { context, viewer, translator, t } = staff
    const draft: Draft = { ...fields, permissions: parsePermissions(fields.permissions) }
    const errors = await fieldErrorsOf(translator, () =>
      createRole(context.database, viewer.id, toRoleInput(draft, false)),
    )
    if (errors) return rolePage(staff, undefined, await findOwnRole(staff), { draft, errors })
    return { to: PATH, notice: t('roles.created') }
  },
})

const showRole = staffView({
  path: `${PATH}/:id`,
  summary: 'Show the form for a role',
  permissions,
  params: { id: idParam },
  async show(parameters, staff) {
    const [role, own] = await Promise.all([requireRole(staff, parameters.id), findOwnRole(staff)])
    if (!mayChange(role, own)) throw new ApiError('notAllowed')
    return rolePage(staff, role, own)
  },
})

const changeRoleForm = staffForm({
  method: 'PUT',
  path: `${PATH}/:id`,
  summary: 'Change a role',
  permissions,
  params: { id: idParam, role: roleParam },
  async act({ id, role: fields }, staff) {
    const { context, viewer, translator, t } = staff
    const stored = await requireRole(staff, id)
    const draft: Draft = { ...fields, permissions: parsePermissions(fields.permissions) }
    const input = toRoleInput(draft, stored.id === BASE_ROLE)
    const errors = await fieldErrorsOf(translator, () => changeRole(context.database, viewer.id, stored.id, input))
    if (errors) return rolePage(staff, stored, await findOwnRole(staff), { draft, errors })
    return { to: PATH, notice: t('roles.changed') }
  },
})

const removeRole = staffForm({
  method: 'DELETE',
  path: `${PATH}/:id`,
  summary: 'Delete a role; its members get the base role',
  permissions,
  params: { id: idParam },
  async act({ id }, staff) {
    const { context, viewer, t } = staff
    await deleteRole(context.database, viewer.id, (await requireRole(staff, id)).id)
    return { to: PATH, notice: t('roles.deleted') }
  },
})

export const operations: readonly AnyOperation[] = [
  showRoles,
  newRole,
  createRoleForm,
  showRole,
  changeRoleForm,
  removeRole,
]
