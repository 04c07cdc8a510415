import {
  createIpBlock,
  findIpBlock,
  findIpBlocks,
  removeIpBlock,
  updateIpBlock,
  type IpBlock,
} from '../../moderation/ip_blocks/index.ts'
import { ApiError } from '../../core/errors.ts'
import { param, type Context } from '../../platform/http/index.ts'
import { adminOperation, listPage, listParameters } from '../index.ts'

const PATH = '/api/v1/admin/ip_blocks'
const ITEM_PATH = `${PATH}/:id`
const READ = { scopes: ['admin:read:ip_blocks'], permission: 'manage_blocks' } as const
const WRITE = { scopes: ['admin:write:ip_blocks'], permission: 'manage_blocks' } as const

const findBlock = ({ id }: { id: string }, { database }: Context): Promise<IpBlock | undefined> =>
  findIpBlock(database, id)

const blockParameters = {
  ip: param.string({ optional: true, description: 'an address or a network' }),
  severity: param.string({ optional: true, description: 'sign_up_requires_approval, sign_up_block or no_access' }),
  comment: param.string({ optional: true }),
  expires_in: param.integer({
    optional: true,
    nullable: true,
    emptyIsNull: true,
    min: 1,
    description: 'seconds from now; blank: never',
  }),
} as const

const expiryAfter = (seconds: number | null | undefined): Date | null | undefined =>
  typeof seconds === 'number' ? new Date(Date.now() + seconds * 1000) : seconds

const listIpBlocks = adminOperation({
  method: 'GET',
  path: PATH,
  ...READ,
  summary: 'List the rules about networks, newest first',
  params: listParameters(),
  returns: '[Admin_IpBlock]',
  async handle(range, context) {
    return listPage(await findIpBlocks(context.database, range), block => block, context, range)
  },
})

const showIpBlock = adminOperation({
  method: 'GET',
  path: ITEM_PATH,
  ...READ,
  summary: 'Show a rule about a network',
  params: { id: param.id() },
  returns: 'Admin_IpBlock',
  find: findBlock,
  handle: (_, __, block) => block,
})

const addIpBlock = adminOperation({
  method: 'POST',
  path: PATH,
  ...WRITE,
  summary: 'Add a rule about a network; it takes effect at once',
  params: blockParameters,
  returns: 'Admin_IpBlock',
  handle: ({ ip = '', severity = '', comment, expires_in }, context) =>
    createIpBlock(context, context.viewer.id, { ip, severity, comment, expiresAt: expiryAfter(expires_in) }),
})

const changeIpBlock = adminOperation({
  method: ['PUT', 'PATCH'],
  path: ITEM_PATH,
  ...WRITE,
  summary: 'Change a rule about a network',
  params: { id: param.id(), ...blockParameters },
  returns: 'Admin_IpBlock',
  find: findBlock,
  handle: ({ ip, severity, comment, expires_in }, context, block) =>
    updateIpBlock(context, context.viewer.id, block, { ip, severity, comment, expiresAt: expiryAfter(expires_in) }),
})

const deleteIpBlock = adminOperation({
  method: 'DELETE',
  path: ITEM_PATH,
  ...WRITE,
  summary: 'Remove a rule about a network',
  params: { id: param.id() },
  returns: '{}',
  find: findBlock,
  async handle(_, context, block) {
    if (!(await removeIpBlock(context, context.viewer.id, block.id))) throw new ApiError('notFound')
    return {}
  },
})

export const operations = [listIpBlocks, showIpBlock, addIpBlock, changeIpBlock, deleteIpBlock]
