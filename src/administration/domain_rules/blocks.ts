import type { Id } from '../../core/id.ts'
import {
  blockDomain,
  changeDomainRule,
  findDomainRule,
  findDomainRules,
  parseSeverity,
  renderDomainRule,
  unblockDomain,
  type StoredRule,
} from '../../moderation/domain_rules/index.ts'
import { param, type Context } from '../../platform/http/index.ts'
import { adminOperation, listPage, listParameters } from '../index.ts'

const PATH = '/api/v1/admin/domain_blocks'
const ONE = `${PATH}/:id`
const reading = { scopes: ['admin:read:domain_blocks'], permission: 'manage_federation' } as const
const writing = { scopes: ['admin:write:domain_blocks'], permission: 'manage_federation' } as const
const MOST = 500

const find = ({ id }: { id: Id }, { database }: Context): Promise<StoredRule | undefined> =>
  findDomainRule(database, id)

const rule = {
  severity: param.string({ optional: true, blank: 'missing', description: 'noop, silence (default) or suspend' }),
  reject_media: param.boolean({ optional: true, description: 'store no copies of its media' }),
  reject_reports: param.boolean({ optional: true, description: 'discard its reports' }),
  private_comment: param.string({ optional: true, description: 'for the staff' }),
  public_comment: param.string({ optional: true, description: 'may be published' }),
  obfuscate: param.boolean({ optional: true, description: 'mask the name in the public list' }),
} as const

const NEW_RULE = {
  severity: 'silence',
  reject_media: false,
  reject_reports: false,
  private_comment: '',
  public_comment: '',
  obfuscate: false,
} as const

type Rule = { -readonly [K in keyof typeof NEW_RULE]: (typeof NEW_RULE)[K] extends boolean ? boolean : string }

/** The changes of a rule in the request. @throws ApiError validation for an unknown severity */
const merged = (base: Rule, given: { [K in keyof Rule]?: Rule[K] | undefined }) => ({
  severity: parseSeverity(given.severity ?? base.severity),
  reject_media: given.reject_media ?? base.reject_media,
  reject_reports: given.reject_reports ?? base.reject_reports,
  private_comment: given.private_comment ?? base.private_comment,
  public_comment: given.public_comment ?? base.public_comment,
  obfuscate: given.obfuscate ?? base.obfuscate,
})

export const listBlocks = adminOperation({
  method: 'GET',
  path: PATH,
  ...reading,
  summary: 'List the rules about domains, newest first',
  params: listParameters(MOST),
  returns: '[Admin_DomainBlock]',
  async handle(range, context) {
    return listPage(await findDomainRules(context.database, range), renderDomainRule, context, range)
  },
})

export const showBlock = adminOperation({
  method: 'GET',
  path: ONE,
  ...reading,
  summary: 'Show a rule about a domain',
  params: { id: param.id() },
  returns: 'Admin_DomainBlock',
  find,
  handle: (_, __, found) => renderDomainRule(found),
})

export const addBlock = adminOperation({
  method: 'POST',
  path: PATH,
  ...writing,
  summary: 'Make a rule about a domain and those below it; known accounts are limited in the background',
  params: { domain: param.string({ default: '' }), ...rule },
  returns: 'Admin_DomainBlock',
  async handle({ domain, ...given }, { database, viewer }) {
    const made = merged(NEW_RULE, given)
    return renderDomainRule(
      await database.transaction(transaction => blockDomain(transaction, viewer.id, domain, made)),
    )
  },
})

export const changeBlock = adminOperation({
  method: ['PUT', 'PATCH'],
  path: ONE,
  ...writing,
  summary: 'Change a rule about a domain',
  params: { id: param.id(), ...rule },
  returns: 'Admin_DomainBlock',
  find,
  async handle(given, { database, viewer }, found) {
    const changed = merged(found, given)
    return renderDomainRule(
      await database.transaction(transaction => changeDomainRule(transaction, viewer.id, found, changed)),
    )
  },
})

export const removeBlock = adminOperation({
  method: 'DELETE',
  path: ONE,
  ...writing,
  summary: 'Remove a rule about a domain; its limits are undone in the background',
  params: { id: param.id() },
  returns: '{}',
  find,
  async handle(_, { database, viewer }, { domain }) {
    await database.transaction(transaction => unblockDomain(transaction, viewer.id, domain))
    return {}
  },
})
