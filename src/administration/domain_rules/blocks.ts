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
const ITEM_PATH = `${PATH}/:id`
const READ = { scopes: ['admin:read:domain_blocks'], permission: 'manage_federation' } as const
const WRITE = { scopes: ['admin:write:domain_blocks'], permission: 'manage_federation' } as const
const MAX_LIMIT = 500

const findRule = ({ id }: { id: Id }, { database }: Context): Promise<StoredRule | undefined> =>
  findDomainRule(database, id)

const ruleParameters = {
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

/** A rule with the changes of the request. @throws ApiError validation for an unknown severity */
const mergeRule = (base: Rule, changes: { [K in keyof Rule]?: Rule[K] | undefined }) => ({
  severity: parseSeverity(changes.severity ?? base.severity),
  reject_media: changes.reject_media ?? base.reject_media,
  reject_reports: changes.reject_reports ?? base.reject_reports,
  private_comment: changes.private_comment ?? base.private_comment,
  public_comment: changes.public_comment ?? base.public_comment,
  obfuscate: changes.obfuscate ?? base.obfuscate,
})

export const listBlocks = adminOperation({
  method: 'GET',
  path: PATH,
  ...READ,
  summary: 'List the rules about domains, newest first',
  params: listParameters(MAX_LIMIT),
  returns: '[Admin_DomainBlock]',
  async handle(range, context) {
    return listPage(await findDomainRules(context.database, range), renderDomainRule, context, range)
  },
})

export const showBlock = adminOperation({
  method: 'GET',
  path: ITEM_PATH,
  ...READ,
  summary: 'Show a rule about a domain',
  params: { id: param.id() },
  returns: 'Admin_DomainBlock',
  find: findRule,
  handle: (_, __, stored) => renderDomainRule(stored),
})

export const addBlock = adminOperation({
  method: 'POST',
  path: PATH,
  ...WRITE,
  summary: 'Add a rule about a domain and its subdomains; known accounts are limited in the background',
  params: { domain: param.string({ default: '' }), ...ruleParameters },
  returns: 'Admin_DomainBlock',
  async handle({ domain, ...changes }, { database, viewer }) {
    const rule = mergeRule(NEW_RULE, changes)
    return renderDomainRule(
      await database.transaction(transaction => blockDomain(transaction, viewer.id, domain, rule)),
    )
  },
})

export const changeBlock = adminOperation({
  method: ['PUT', 'PATCH'],
  path: ITEM_PATH,
  ...WRITE,
  summary: 'Change a rule about a domain',
  params: { id: param.id(), ...ruleParameters },
  returns: 'Admin_DomainBlock',
  find: findRule,
  async handle(changes, { database, viewer }, stored) {
    const rule = mergeRule(stored, changes)
    return renderDomainRule(
      await database.transaction(transaction => changeDomainRule(transaction, viewer.id, stored, rule)),
    )
  },
})

export const removeBlock = adminOperation({
  method: 'DELETE',
  path: ITEM_PATH,
  ...WRITE,
  summary: 'Remove a rule about a domain; its limits are undone in the background',
  params: { id: param.id() },
  returns: '{}',
  find: findRule,
  async handle(_, { database, viewer }, { domain }) {
    await database.transaction(transaction => unblockDomain(transaction, viewer.id, domain))
    return {}
  },
})
