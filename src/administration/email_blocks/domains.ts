import type { Id } from '../../core/id.ts'
import {
  createDomainBlock,
  findDomainBlock,
  findDomainBlocks,
  unblockDomain,
  type EmailDomainBlock,
} from '../../moderation/email_blocks/index.ts'
import { param, type Context } from '../../platform/http/index.ts'
import { makeHistory } from '../../timelines/tags/index.ts'
import { adminOperation, listPage, listParameters } from '../index.ts'

const PATH = '/api/v1/admin/email_domain_blocks'
const ITEM_PATH = `${PATH}/:id`
const READ = { scopes: ['admin:read:email_domain_blocks'], permission: 'manage_blocks' } as const
const WRITE = { scopes: ['admin:write:email_domain_blocks'], permission: 'manage_blocks' } as const

const findBlock = ({ id }: { id: Id }, { database }: Context): Promise<EmailDomainBlock | undefined> =>
  findDomainBlock(database, id)

/** The entity Admin::EmailDomainBlock. */
const render = ({ id, domain, created_at, history, allow_with_approval }: EmailDomainBlock): object => ({
  id,
  domain,
  created_at,
  history: makeHistory(history, Date.now()),
  allow_with_approval,
})

export const listEmailDomains = adminOperation({
  method: 'GET',
  path: PATH,
  ...READ,
  summary: 'List the blocked e-mail domains, newest first',
  params: listParameters(),
  returns: '[Admin_EmailDomainBlock]',
  async handle(range, context) {
    return listPage(await findDomainBlocks(context.database, range), render, context, range)
  },
})

export const showEmailDomain = adminOperation({
  method: 'GET',
  path: ITEM_PATH,
  ...READ,
  summary: 'Show a blocked e-mail domain with the sign-up attempts',
  params: { id: param.id() },
  returns: 'Admin_EmailDomainBlock',
  find: findBlock,
  handle: (_, __, block) => render(block),
})

export const addEmailDomain = adminOperation({
  method: 'POST',
  path: PATH,
  ...WRITE,
  summary: 'Block an e-mail domain and its subdomains from signing up',
  params: {
    domain: param.string({ default: '' }),
    allow_with_approval: param.boolean({ default: false, description: 'not refused, but the staff decides' }),
  },
  returns: 'Admin_EmailDomainBlock',
  async handle({ domain, allow_with_approval: allowWithApproval }, { database, viewer }) {
    return render(await createDomainBlock(database, viewer.id, domain, allowWithApproval))
  },
})

export const removeEmailDomain = adminOperation({
  method: 'DELETE',
  path: ITEM_PATH,
  ...WRITE,
  summary: 'Unblock an e-mail domain and its mail servers',
  params: { id: param.id() },
  returns: '{}',
  find: findBlock,
  async handle(_, { database, viewer }, { domain }) {
    await unblockDomain(database, viewer.id, domain)
    return {}
  },
})
