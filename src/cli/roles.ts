import type { Command } from 'commander'
import { BASE_PERMISSIONS } from '../core/permissions.ts'
import { c, query, type Database } from '../platform/database/index.ts'
import { flag, wholeNumber } from './flag.ts'
import { namesOf, parsePermissions } from './permissions.ts'
import { CliError } from './cli_error.ts'
import type { CliContext } from './cli_context.ts'
import { table } from './table.ts'

const allRoles = query(
  'cli/roles',
  {},
  {
    id: c.id,
    name: c.text,
    color: c.text,
    position: c.integer,
    permissions: c.bigint,
    highlighted: c.boolean,
    require_2fa: c.boolean,
    collection_limit: c.integer,
    members: c.integer,
  },
)
const saveRole = query(
  'cli/save_role',
  {
    id: c.nullable(c.id),
    name: c.nullable(c.text),
    color: c.nullable(c.text),
    position: c.nullable(c.integer),
    permissions: c.nullable(c.bigint),
    highlighted: c.nullable(c.boolean),
    require_2fa: c.nullable(c.boolean),
    collection_limit: c.nullable(c.integer),
  },
  { events: c.events },
)
const removeRole = query('cli/delete_role', { role: c.id }, { events: c.events })

/** The base role of all users, which has no name. */
const BASE = { id: '-99', name: 'everyone' }
const MAX_POSITION = 2_147_483_647
const COLOR = /^#?(?:[0-9a-f]{3}|[0-9a-f]{6})$/i

interface RoleOptions {
  name?: string
  color?: string
  position?: number
  permissions?: string
  highlighted?: boolean
  require2fa?: boolean
  collectionLimit?: number
}

const findRoles = (database: Database) => database.run(allRoles, {})

async function findRole(database: Database, name: string) {
  const found = (await findRoles(database)).find(role => (role.id === BASE.id ? BASE.name : role.name) === name)
  if (!found) throw new CliError('Cannot find user role with that name')
  return found
}

async function listRoles(session: CliContext): Promise<void> {
  const { database } = await session.services()
  const rows = (await findRoles(database)).map(role => [
    role.id === BASE.id ? BASE.name : role.name,
    String(role.position),
    role.id === BASE.id ? 'all' : String(role.members),
    role.color,
    [...(role.highlighted ? ['highlighted'] : []), ...(role.require_2fa ? ['2fa'] : [])].join(','),
    namesOf(Number(role.permissions)).join(','),
  ])
  for (const line of table(['ROLE', 'POSITION', 'MEMBERS', 'COLOR', 'FLAGS', 'PERMISSIONS'], rows)) session.print(line)
}

/** @throws CliError */
function readOptions(options: RoleOptions, isBase: boolean) {
  const { name, color, permissions } = options
  if (name?.trim() === '') throw new CliError("Name can't be blank")
  if (color !== undefined && color !== '' && !COLOR.test(color)) throw new CliError('Color is not a valid hex color')
  const mask = permissions === undefined ? null : parsePermissions(permissions)
  if (isBase && mask !== null && (mask & ~BASE_PERMISSIONS) !== 0) {
    throw new CliError('Permissions include permissions that are not safe for the base role')
  }
  if (isBase && (name !== undefined || options.position !== undefined)) {
    throw new CliError('The base role keeps its name and position')
  }
  return {
    name: name?.trim() ?? null,
    color: color === undefined || color === '' || color.startsWith('#') ? (color ?? null) : `#${color}`,
    position: options.position ?? null,
    permissions: mask === null ? null : String(mask),
    highlighted: options.highlighted ?? null,
    require_2fa: options.require2fa ?? null,
    collection_limit: options.collectionLimit ?? null,
  }
}

async function createRole(session: CliContext, name: string, options: RoleOptions): Promise<void> {
  const given = readOptions({ ...options, name }, false)
  const { database } = await session.services()
  if ((await findRoles(database)).some(role => role.name === given.name) || given.name === BASE.name) {
    throw new CliError('There is a role with that name')
  }
  await database.run(saveRole, { id: null, ...given })
  session.print('OK')
}

async function modifyRole(session: CliContext, name: string, options: RoleOptions): Promise<void> {
  const { database } = await session.services()
  const role = await findRole(database, name)
  await database.run(saveRole, { id: role.id, ...readOptions(options, role.id === BASE.id) })
  session.print('OK')
}

async function deleteRole(session: CliContext, name: string): Promise<void> {
  const { database } = await session.services()
  const role = await findRole(database, name)
  if (role.id === BASE.id) throw new CliError('The base role cannot be deleted')
  await database.run(removeRole, { role: role.id })
  session.print('OK')
}

function addOptions(command: Command): Command {
  command
    .option('--permissions <names>', 'names with commas between them, or the mask as a number')
    .option('--position <n>', 'rank: who is higher may act on who is lower', wholeNumber(0, MAX_POSITION))
    .option('--color <hex>', 'of the badge, such as #6364ff')
    .option('--collection-limit <n>', 'how many collections a member may own', wholeNumber(0, MAX_POSITION))
  flag(command, '--highlighted', 'shown as a badge on profiles')
  return flag(command, '--require-2fa', 'members need a second factor')
}

/** Roles and their permissions. */
export function addRoles(program: Command, session: CliContext): void {
  const group = program.command('roles').description('roles and what they permit; the base role is "everyone"')
  group
    .command('list')
    .description('every role')
    .action(() => listRoles(session))
  addOptions(group.command('create <name>').description('make a role')).action((name: string, options: RoleOptions) =>
    createRole(session, name, options),
  )
  addOptions(group.command('modify <name>').description('change a role').option('--name <name>', 'new name')).action(
    (name: string, options: RoleOptions) => modifyRole(session, name, options),
  )
  group
    .command('delete <name>')
    .description('delete a role; its members fall back to the base role')
    .action((name: string) => deleteRole(session, name))
}
