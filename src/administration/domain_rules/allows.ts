import type { Id } from '../../core/id.ts'
import {
  allowDomain,
  disallowDomain,
  findDomainAllow,
  findDomainAllows,
  type DomainAllow,
} from '../../moderation/domain_rules/index.ts'
import { param, type Context } from '../../platform/http/index.ts'
import { adminOperation, listPage, listParameters } from '../index.ts'

const PATH = '/api/v1/admin/domain_allows'
const ITEM_PATH = `${PATH}/:id`
const READ = { scopes: ['admin:read:domain_allows'], permission: 'manage_federation' } as const
const WRITE = { scopes: ['admin:write:domain_allows'], permission: 'manage_federation' } as const
const MAX_LIMIT = 500

const findAllow = ({ id }: { id: Id }, { database }: Context): Promise<DomainAllow | undefined> =>
  findDomainAllow(database, id)

export const listAllows = adminOperation({
  method: 'GET',
  path: PATH,
  ...READ,
  summary: 'List the domains that limited federation mode allows, newest first',
  params: listParameters(MAX_LIMIT),
  returns: '[Admin_DomainAllow]',
  async handle(range, context) {
    return listPage(await findDomainAllows(context.database, range), allow => allow, context, range)
  },
})

export const showAllow = adminOperation({
  method: 'GET',
  path: ITEM_PATH,
  ...READ,
  summary: 'Show a domain that limited federation mode allows',
  params: { id: param.id() },
  returns: 'Admin_DomainAllow',
  find: findAllow,
  handle: (_, __, allow) => allow,
})

export const addAllow = adminOperation({
  method: 'POST',
  path: PATH,
  ...WRITE,
  summary: 'Allow a domain in limited federation mode; allowing it twice changes nothing',
  params: { domain: param.string({ default: '' }) },
  returns: 'Admin_DomainAllow',
  async handle({ domain }, { database, viewer }) {
    return (await database.transaction(transaction => allowDomain(transaction, viewer.id, domain))).allow
  },
})

export const removeAllow = adminOperation({
  method: 'DELETE',
  path: ITEM_PATH,
  ...WRITE,
  summary: 'Stop allowing a domain; in limited federation mode its accounts are removed',
  params: { id: param.id() },
  returns: '{}',
  find: findAllow,
  async handle(_, { database, viewer, settings }, { domain }) {
    const limited = settings.get('limited_federation_mode')
    await database.transaction(transaction => disallowDomain(transaction, viewer.id, domain, limited))
    return {}
  },
})
