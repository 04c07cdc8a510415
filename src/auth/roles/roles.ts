import { ApiError, fieldErrors } from '../../core/errors.ts'
import type { Id } from '../../core/id.ts'
import { effectivePermissions, hasPermission } from '../../core/permissions.ts'
import { c, query, type Database, type Row, type Runner } from '../../platform/database/index.ts'
import { checkRole, readRole, type Editor, type RoleInput } from './check.ts'

export { BASE_ROLE, type RoleInput } from './check.ts'

const ROLE = {
  id: c.id,
  name: c.text,
  color: c.text,
  position: c.integer,
  permissions: c.bigint,
  highlighted: c.boolean,
  require_2fa: c.boolean,
  collection_limit: c.integer,
  members: c.integer,
} as const
const listing = query('auth/roles/list', {}, ROLE)
const findEditor = query(
  'auth/roles/editor',
  { account: c.id },
  { id: c.id, position: c.integer, permissions: c.bigint },
)
const lockRole = query(
  'auth/roles/lock',
  { role: c.id },
  { id: c.id, position: c.integer, permissions: c.bigint, require_2fa: c.boolean },
)
const saving = query(
  'auth/roles/save',
  {
    moderator: c.nullable(c.id),
    id: c.nullable(c.id),
    name: c.nullable(c.text),
    color: c.nullable(c.text),
    position: c.nullable(c.integer),
    permissions: c.nullable(c.bigint),
    highlighted: c.nullable(c.boolean),
    require_2fa: c.nullable(c.boolean),
    collection_limit: c.nullable(c.integer),
  },
  { id: c.id, events: c.events },
)
const removing = query(
  'auth/roles/remove',
  { moderator: c.nullable(c.id), role: c.id },
  { removed: c.integer, events: c.events },
)
const mayAct = query('auth/roles/outranks', { editor: c.id, account: c.id }, { outranks: c.boolean })
const assigning = query(
  'auth/roles/assign',
  { moderator: c.nullable(c.id), account: c.id, role: c.nullable(c.id) },
  { changed: c.boolean, events: c.events },
)

/**
 * A role as stored, with the number of its users; `permissions` is its own mask as a decimal
 * string, without that of the base role.
 */
export type Role = Row<typeof ROLE>

/** Every role, lowest position first: the base role comes first. */
export const listRoles = (runner: Runner): Promise<Role[]> => runner.run(listing, {})

export const findRole = async (runner: Runner, id: Id): Promise<Role | undefined> =>
  (await listRoles(runner)).find(role => role.id === id)

/**
 * Creates a role, with an entry in the audit log.
 * @param editor the account of the user who creates it; null: the operator, without limits
 * @throws ApiError notAllowed; validation, with `details` by field
 */
export const createRole = (database: Database, editor: Id | null, input: RoleInput): Promise<Id> =>
  database.transaction(async transaction => {
    const own = await editorOf(transaction, editor)
    const values = readRole({ name: '', ...input })
    checkRole(values, own, undefined)
    const added = await transaction.one(saving, { moderator: editor, id: null, ...columnsOf(values) })
    if (!added) throw new Error('the role was not stored')
    return added.id
  })

/**
 * Changes the given fields of a role, with an entry in the audit log. An editor may change roles
 * with a lower position and, in parts, the own one.
 * @throws ApiError notFound; notAllowed; validation, with `details` by field
 */
export const changeRole = (database: Database, editor: Id | null, id: Id, input: RoleInput): Promise<void> =>
  database.transaction(async transaction => {
    const old = await transaction.one(lockRole, { role: id })
    if (!old) throw new ApiError('notFound')
    const own = await editorOf(transaction, editor)
    if (own && own.id !== id && old.position >= own.position) throw new ApiError('notAllowed')
    const values = readRole(input)
    checkRole(values, own, { ...old, permissions: Number(old.permissions) })
    await transaction.run(saving, { moderator: editor, id, ...columnsOf(values) })
  })

/**
 * Deletes a role with a lower position than the editor's, with an entry in the audit log; its
 * members get the base role, which itself cannot be deleted.
 * @throws ApiError notFound, notAllowed
 */
export const deleteRole = (database: Database, editor: Id | null, id: Id): Promise<void> =>
  database.transaction(async transaction => {
    const old = await transaction.one(lockRole, { role: id })
    if (!old) throw new ApiError('notFound')
    const own = await editorOf(transaction, editor)
    if (own && (own.id === id || old.position >= own.position)) throw new ApiError('notAllowed')
    const done = await transaction.one(removing, { moderator: editor, role: id })
    if (done?.removed !== 1) throw new ApiError('notAllowed')
  })

/**
 * Gives a user a role, with an entry in the audit log. An editor's own position must be above that
 * of the user's role, and at least that of the new one.
 * @param role null: the base role alone
 * @throws ApiError notFound; notAllowed; validation, with `details` by field
 */
export async function assignRole(transaction: Runner, editor: Id | null, account: Id, role: Id | null): Promise<void> {
  const wanted = role === null ? null : await transaction.one(lockRole, { role })
  if (wanted === undefined) throw new ApiError('notFound')
  const own = await editorOf(transaction, editor)
  if (own && editor !== null) {
    const found = await transaction.one(mayAct, { editor, account })
    if (!found) throw new ApiError('notFound')
    if (!found.outranks) throw new ApiError('notAllowed')
    if (wanted && wanted.position > own.position) {
      throw fieldErrors({ field: 'role', code: 'ERR_ELEVATED', message: 'cannot be higher than your current role' })
    }
  }
  if (!(await transaction.one(assigning, { moderator: editor, account, role }))) throw new ApiError('notFound')
}

/** The role of a user who looks at roles; its permissions include those of the base role. */
export const roleOf = (
  runner: Runner,
  account: Id,
): Promise<{ readonly id: Id; readonly position: number; readonly permissions: string } | undefined> =>
  runner.one(findEditor, { account })

/** The editor's role; undefined for the operator. @throws ApiError notAllowed */
async function editorOf(transaction: Runner, account: Id | null): Promise<Editor | undefined> {
  if (account === null) return undefined
  const row = await transaction.one(findEditor, { account })
  const own = row && { ...row, permissions: effectivePermissions(Number(row.permissions)) }
  if (!own || !hasPermission(own, 'manage_roles')) throw new ApiError('notAllowed')
  return own
}

const columnsOf = (values: RoleInput) => ({
  name: values.name ?? null,
  color: values.color ?? null,
  position: values.position ?? null,
  permissions: values.permissions === undefined ? null : String(values.permissions),
  highlighted: values.highlighted ?? null,
  require_2fa: values.require_2fa ?? null,
  collection_limit: values.collection_limit ?? null,
})
