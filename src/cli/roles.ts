import type { Command } from 'commander'
import {
  BASE_ROLE,
  changeRole,
  createRole,
  deleteRole,
  listRoles,
  type Role,
  type RoleInput,
} from '../auth/roles/index.ts'
import type { Database } from '../platform/database/index.ts'
import { flag, wholeNumber } from './flag.ts'
import { permissionNames, parsePermissions } from './permissions.ts'
import { CliError } from './cli_error.ts'
import { withCliError } from './with_cli_error.ts'
import type { CliContext } from './cli_context.ts'

/** The name of the base role, which is stored without one. */
const BASE_NAME = 'everyone'
const MAX_POSITION = 2_147_483_647

interface RoleOptions {
  name?: string
  color?: string
  position?: number
  permissions?: string
  highlighted?: boolean
  require2fa?: boolean
  collectionLimit?: number
}

const roleName = ({ id, name }: Role): string => (id === BASE_ROLE ? BASE_NAME : name)

async function findRole(database: Database, name: string): Promise<Role> {
  const role = (await listRoles(database)).find(listed => roleName(listed) === name)
  if (!role) throw new CliError('Cannot find user role with that name')
  return role
}

async function printRoles(context: CliContext): Promise<void> {
  const { database } = await context.services()
  const rows = (await listRoles(database)).map(role => [
    roleName(role),
    String(role.position),
    role.id === BASE_ROLE ? 'all' : String(role.members),
    role.color,
    [...(role.highlighted ? ['highlighted'] : []), ...(role.require_2fa ? ['2fa'] : [])].join(','),
    permissionNames(Number(role.permissions)).join(','),
  ])
  context.printTable(['ROLE', 'POSITION', 'MEMBERS', 'COLOR', 'FLAGS', 'PERMISSIONS'], rows)
}

/** @throws CliError */
const toRoleInput = ({ require2fa, collectionLimit, permissions, ...rest }: RoleOptions): RoleInput => ({
  ...rest,
  ...(permissions !== undefined && { permissions: parsePermissions(permissions) }),
  ...(require2fa !== undefined && { require_2fa: require2fa }),
  ...(collectionLimit !== undefined && { collection_limit: collectionLimit }),
})

async function addRole(context: CliContext, name: string, options: RoleOptions): Promise<void> {
  const { database } = await context.services()
  if ((await listRoles(database)).some(role => roleName(role) === name.trim())) {
    throw new CliError('There is a role with that name')
  }
  await withCliError(createRole(database, null, { ...toRoleInput(options), name }))
  context.print('OK')
}

async function modifyRole(context: CliContext, name: string, options: RoleOptions): Promise<void> {
  const { database } = await context.services()
  const role = await findRole(database, name)
  await withCliError(changeRole(database, null, role.id, toRoleInput(options)))
  context.print('OK')
}

async function removeRole(context: CliContext, name: string): Promise<void> {
  const { database } = await context.services()
  const role = await findRole(database, name)
  if (role.id === BASE_ROLE) throw new CliError('The base role cannot be deleted')
  await deleteRole(database, null, role.id)
  context.print('OK')
}

function addOptions(command: Command): Command {
  command
    .option('--permissions <names>', 'names separated by commas, or the bit mask as a number')
    .option('--position <n>', 'rank: higher roles may act on lower ones', wholeNumber(0, MAX_POSITION))
    .option('--color <hex>', 'color of the badge, such as #6364ff')
    .option('--collection-limit <n>', 'maximum number of collections of a user', wholeNumber(0, MAX_POSITION))
  flag(command, '--highlighted', 'show a badge on profiles')
  return flag(command, '--require-2fa', 'require two-factor authentication')
}

/** The commands on roles. */
export function addRoles(program: Command, context: CliContext): void {
  const group = program.command('roles').description('manage roles and their permissions; the base role is "everyone"')
  group
    .command('list')
    .description('list the roles')
    .action(() => printRoles(context))
  addOptions(group.command('create <name>').description('create a role')).action((name: string, options: RoleOptions) =>
    addRole(context, name, options),
  )
  addOptions(group.command('modify <name>').description('change a role').option('--name <name>', 'new name')).action(
    (name: string, options: RoleOptions) => modifyRole(context, name, options),
  )
  group
    .command('delete <name>')
    .description('delete a role; its users get the base role')
    .action((name: string) => removeRole(context, name))
}
