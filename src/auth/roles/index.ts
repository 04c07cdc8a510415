/** Roles: who may create, change, delete and assign them, and within which limits. */
export {
  assignRole,
  BASE_ROLE,
  changeRole,
  createRole,
  deleteRole,
  findRole,
  listRoles,
  roleOf,
  type Role,
  type RoleInput,
} from './roles.ts'
