import { fieldErrors, type FieldError } from '../../core/errors.ts'
import type { Id } from '../../core/id.ts'
import { ALL_PERMISSIONS, BASE_PERMISSIONS, hasPermission } from '../../core/permissions.ts'
import { countCodePoints } from '../../core/text/index.ts'

/** The id of the base role, which every user has. */
export const BASE_ROLE: Id = '-99'

/** The fields of a role; absent ones keep their value, or get the default. */
export interface RoleInput {
  readonly name?: string
  /** 3 or 6 hexadecimal digits, with or without #; empty: none. */
  readonly color?: string
  readonly position?: number
  /** The role's own mask. */
  readonly permissions?: number
  readonly highlighted?: boolean
  readonly require_2fa?: boolean
  readonly collection_limit?: number
}

/** The role of the user who edits roles, with effective permissions. */
export interface Editor {
  readonly id: Id
  readonly position: number
  readonly permissions: number
}

/** A role before the change. */
interface OldRole {
  readonly id: Id
  readonly position: number
  readonly permissions: number
  readonly require_2fa: boolean
}

const MAX_NAME = 255
const MAX_INTEGER = 2_147_483_647
const COLOR = /^#?(?:[0-9a-f]{3}|[0-9a-f]{6})$/i

/** The fields in the form in which they are stored. */
export const readRole = ({ name, color, ...rest }: RoleInput): RoleInput => ({
  ...rest,
  ...(name !== undefined && { name: name.trim() }),
  ...(color !== undefined && { color: withHash(color.trim()) }),
})

const withHash = (color: string): string => (color === '' || color.startsWith('#') ? color : `#${color}`)

/**
 * Checks the fields of a role, and the limits of its editor.
 * @param editor undefined: the operator, without limits
 * @param old undefined: a new role
 * @throws ApiError validation, with `details` by field
 */
export function checkRole(role: RoleInput, editor: Editor | undefined, old: OldRole | undefined): void {
  const errors = [...faultsOf(role, old?.id === BASE_ROLE), ...(editor ? limitsOf(role, editor, old) : [])]
  if (errors.length > 0) throw fieldErrors(...errors)
}

function faultsOf(role: RoleInput, isBase: boolean): FieldError[] {
  const { name, color, position, permissions, collection_limit: limit } = role
  const errors: FieldError[] = []
  const add = (field: keyof RoleInput, code: string, message: string): void =>
    void errors.push({ field, code, message })
  if (name !== undefined && name === '' && !isBase) add('name', 'ERR_BLANK', "can't be blank")
  if (name !== undefined && countCodePoints(name) > MAX_NAME)
    add('name', 'ERR_TOO_LONG', `is too long (maximum is ${MAX_NAME} characters)`)
  if (color !== undefined && color !== '' && !COLOR.test(color)) add('color', 'ERR_INVALID', 'is not a valid hex color')
  if (position !== undefined && !(Number.isInteger(position) && Math.abs(position) <= MAX_INTEGER))
    add('position', 'ERR_OUT_OF_RANGE', `must be a whole number from -${MAX_INTEGER} to ${MAX_INTEGER}`)
  if (limit !== undefined && !(Number.isInteger(limit) && limit >= 0 && limit <= MAX_INTEGER))
    add('collection_limit', 'ERR_OUT_OF_RANGE', `must be a whole number from 0 to ${MAX_INTEGER}`)
  if (permissions !== undefined && (permissions & ~ALL_PERMISSIONS) !== 0)
    add('permissions', 'ERR_INVALID', 'is invalid')
  if (!isBase) return errors
  if (permissions !== undefined && (permissions & ~BASE_PERMISSIONS) !== 0)
    add('permissions', 'ERR_UNSAFE', 'include permissions that are not safe for the base role')
  if (name !== undefined && name !== '') add('name', 'ERR_FIXED', 'cannot be changed for the base role')
  if (position !== undefined && position !== -1) add('position', 'ERR_FIXED', 'cannot be changed for the base role')
  return errors
}

/** Changes that the editor's own role does not permit. */
function limitsOf(role: RoleInput, editor: Editor, old: OldRole | undefined): FieldError[] {
  const { position, permissions, require_2fa: require2fa } = role
  const errors: FieldError[] = []
  const add = (field: keyof RoleInput, code: string, message: string): void =>
    void errors.push({ field, code, message })
  const added = permissions === undefined ? 0 : permissions & ~editor.permissions
  if (added !== 0) add('permissions', 'ERR_ELEVATED', 'cannot include permissions your current role does not possess')
  if (position !== undefined && position > editor.position)
    add('position', 'ERR_ELEVATED', 'cannot be higher than your current role')
  if (old?.id !== editor.id) return errors
  const fixed = 'cannot be changed with your current role'
  if (permissions !== undefined && permissions !== old.permissions) add('permissions', 'ERR_OWN_ROLE', fixed)
  if (position !== undefined && position !== old.position) add('position', 'ERR_OWN_ROLE', fixed)
  if (require2fa !== undefined && require2fa !== old.require_2fa && !hasPermission(editor, 'administrator'))
    add('require_2fa', 'ERR_OWN_ROLE', fixed)
  return errors
}
