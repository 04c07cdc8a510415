import { BASE_ROLE, changeRole, createRole, deleteRole, findRole, type Role } from '../../auth/roles/index.ts'
import { fieldErrorsOf } from '../../auth/sign_up/index.ts'
import { ApiError } from '../../core/errors.ts'
import { param, type AnyOperation } from '../../platform/http/index.ts'
import { staffForm, staffView, type Staff } from '../index.ts'
import { inputOf, maskIn, type Draft } from './draft.ts'
import { listPage, mayChange, ownRole, PATH, rolePage } from './pages.ts'

const permissions = ['manage_roles'] as const
const text = param.string({ default: '' })
const flag = param.boolean({ default: false })
/** The id of a role: that of the base role is negative, which no other id is. */
const id = param.string({ missing: 404 })
const role = param.object(
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
async function requireRole({ context }: Staff, wanted: string): Promise<Role> {
  const found = await findRole(context.database, wanted)
  if (!found) throw new ApiError('notFound')
  return found
}

const showRoles = staffView({
  path: PATH,
  summary: 'The roles and what they permit',
  permissions,
  params: {},
  show: (_, staff) => listPage(staff),
})

const newRole = staffView({
  path: `${PATH}/new`,
  summary: 'Form for a new role',
  permissions,
  params: {},
  show: async (_, staff) => rolePage(staff, undefined, await ownRole(staff)),
})

const create = staffForm({
  path: PATH,
  summary: 'Create a role',
  permissions,
  params: { role },
  async act({ role: given }, staff) {
    const { context, viewer, translator, t } = staff
    const draft: Draft = { ...given, permissions: maskIn(given.permissions) }
    const errors = await fieldErrorsOf(translator, () => createRole(context.database, viewer.id, inputOf(draft, false)))
    if (errors) return rolePage(staff, undefined, await ownRole(staff), { draft, errors })
    return { to: PATH, notice: t('roles.created') }
  },
})

const showRole = staffView({
  path: `${PATH}/:id`,
  summary: 'Form for a role',
  permissions,
  params: { id },
  async show(parameters, staff) {
    const [found, own] = await Promise.all([requireRole(staff, parameters.id), ownRole(staff)])
    if (!mayChange(found, own)) throw new ApiError('notAllowed')
    return rolePage(staff, found, own)
  },
})

const change = staffForm({
  method: 'PUT',
  path: `${PATH}/:id`,
  summary: 'Change a role',
  permissions,
  params: { id, role },
  async act({ id: changed, role: given }, staff) {
    const { context, viewer, translator, t } = staff
    const found = await requireRole(staff, changed)
    const draft: Draft = { ...given, permissions: maskIn(given.permissions) }
    const input = inputOf(draft, found.id === BASE_ROLE)
    const errors = await fieldErrorsOf(translator, () => changeRole(context.database, viewer.id, found.id, input))
    if (errors) return rolePage(staff, found, await ownRole(staff), { draft, errors })
    return { to: PATH, notice: t('roles.changed') }
  },
})

const remove = staffForm({
  method: 'DELETE',
  path: `${PATH}/:id`,
  summary: 'Delete a role; its members get the base role',
  permissions,
  params: { id },
  async act({ id: removed }, staff) {
    const { context, viewer, t } = staff
    await deleteRole(context.database, viewer.id, (await requireRole(staff, removed)).id)
    return { to: PATH, notice: t('roles.deleted') }
  },
})

export const operations: readonly AnyOperation[] = [showRoles, newRole, create, showRole, change, remove]
