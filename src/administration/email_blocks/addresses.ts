import type { Id } from '../../core/id.ts'
import {
  blockAddress,
  findAddressBlock,
  findAddressBlocks,
  matchAddress,
  removeAddressBlock,
  type AddressBlock,
} from '../../moderation/email_blocks/index.ts'
import { missingParameter, param, type Context } from '../../platform/http/index.ts'
import { adminOperation, listPage, listParameters } from '../index.ts'

const PATH = '/api/v1/admin/canonical_email_blocks'
const ITEM_PATH = `${PATH}/:id`
const READ = { scopes: ['admin:read:canonical_email_blocks'], permission: 'manage_blocks' } as const
const WRITE = { scopes: ['admin:write:canonical_email_blocks'], permission: 'manage_blocks' } as const

const findBlock = ({ id }: { id: Id }, { database }: Context): Promise<AddressBlock | undefined> =>
  findAddressBlock(database, id)

export const listAddresses = adminOperation({
  method: 'GET',
  path: PATH,
  ...READ,
  summary: 'List the hashes of blocked e-mail addresses, newest first',
  params: listParameters(),
  returns: '[Admin_CanonicalEmailBlock]',
  async handle(range, context) {
    return listPage(await findAddressBlocks(context.database, range), block => block, context, range)
  },
})

export const showAddress = adminOperation({
  method: 'GET',
  path: ITEM_PATH,
  ...READ,
  summary: 'Show a blocked e-mail address by its hash',
  params: { id: param.id() },
  returns: 'Admin_CanonicalEmailBlock',
  find: findBlock,
  handle: (_, __, block) => block,
})

export const testAddress = adminOperation({
  method: 'POST',
  path: `${PATH}/test`,
  ...READ,
  summary: 'List the blocks of an e-mail address',
  params: { email: param.string({ default: '', trim: true }) },
  returns: '[Admin_CanonicalEmailBlock]',
  async handle({ email }, { database }) {
    if (email === '') throw missingParameter('email')
    const block = await matchAddress(database, email)
    return block ? [block] : []
  },
})

export const addAddress = adminOperation({
  method: 'POST',
  path: PATH,
  ...WRITE,
  summary: 'Block an e-mail address in all its spellings',
  params: {
    email: param.string({ optional: true }),
    canonical_email_hash: param.string({ optional: true, description: 'SHA-256 in hexadecimal, without an address' }),
  },
  returns: 'Admin_CanonicalEmailBlock',
  handle: ({ email, canonical_email_hash: hash }, { database, viewer }) =>
    blockAddress(database, viewer.id, { email, hash }),
})

export const removeAddress = adminOperation({
  method: 'DELETE',
  path: ITEM_PATH,
  ...WRITE,
  summary: 'Unblock an e-mail address',
  params: { id: param.id() },
  returns: '{}',
  find: findBlock,
  async handle(_, { database, viewer }, block) {
    await removeAddressBlock(database, viewer.id, block)
    return {}
  },
})
