import {
  createIpBlock,
  findIpBlock,
  findIpBlocks,
  removeIpBlock,
  updateIpBlock,
  type IpBlock,
} from '../../moderation/ip_blocks/index.ts'
import { param, type Context } from '../../platform/http/index.ts'
import { adminOperation, listPage, listParameters } from '../index.ts'

const PATH = '/api/v1/admin/ip_blocks'
const ONE = `${PATH}/:id`
const reading = { scopes: ['admin:read:ip_blocks'], permission: 'manage_blocks' } as const
const writing = { scopes: ['admin:write:ip_blocks'], permission: 'manage_blocks' } as const

const find = ({ id }: { id: string }, { database }: Context): Promise<IpBlock | undefined> => findIpBlock(database, id)

const rule = {
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

const after = (seconds: number | null | undefined): Date | null | undefined =>
  typeof seconds === 'number' ? new Date(Date.now() + seconds * 1000) : seconds

const listIpBlocks = adminOperation({
  method: 'GET',
  path: PATH,
  ...reading,
  summary: 'List the rules about networks, newest first',
  params: listParameters(),
  returns: '[Admin_IpBlock]',
  async handle(range, context) {
    return listPage(await findIpBlocks(context.database, range), block => block, context, range)
  },
})

const showIpBlock = adminOperation({
  method: 'GET',
  path: ONE,
  ...reading,
  summary: 'Show a rule about a network',
  params: { id: param.id() },
  returns: 'Admin_IpBlock',
  find,
  handle: (_, __, block) => block,
})

const addIpBlock = adminOperation({
  method: 'POST',
  path: PATH,
  ...writing,
  summary: 'Add a rule about a network: it takes effect at once',
  params: rule,
  returns: 'Admin_IpBlock',
  handle: ({ ip = '', severity = '', comment, expires_in }, context) =>
    createIpBlock(context, context.viewer.id, { ip, severity, comment, expiresAt: after(expires_in) }),
})

const changeIpBlock = adminOperation({
  method: ['PUT', 'PATCH'],
  path: ONE,
  ...writing,
  summary: 'Change a rule about a network',
  params: { id: param.id(), ...rule },
  returns: 'Admin_IpBlock',
  find,
  handle: ({ ip, severity, comment, expires_in }, context, block) =>
    updateIpBlock(context, context.viewer.id, block, { ip, severity, comment, expiresAt: after(expires_in) }),
})

const deleteIpBlock = adminOperation({
  method: 'DELETE',
  path: ONE,
  ...writing,
  summary: 'Remove a rule about a network',
  params: { id: param.id() },
  returns: '{}',
  find,
  async handle(_, context, block) {
    await removeIpBlock(context, context.viewer.id, block.ip)
    return {}
  },
})

export const operations = [listIpBlocks, showIpBlock, addIpBlock, changeIpBlock, deleteIpBlock]
