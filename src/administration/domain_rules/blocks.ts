import type { Id } from '../../core/id.ts'
import {
  blockDomain,
  changeDomainRule,
  findDomainRule,
  findDomainRules,
  parseSeverity,
  renderDomainRule,
  unblockDomain,
  type DomainRule,
  type DomainRuleChange,
  type StoredRule,
} from '../../moderation/domain_rules/index.ts'
import { param, type Context } from '../../platform/http/index.ts'
import type { Parsed } from '../../platform/http/param/index.ts'
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

type Given = Parsed<typeof ruleParameters>

/** What a request changes of a rule. @throws ApiError validation for an unknown severity */
const readChange = ({ severity, ...given }: Given): DomainRuleChange => ({
  severity: severity === undefined ? undefined : parseSeverity(severity),
  reject_media: given.reject_media,
  reject_reports: given.reject_reports,
  private_comment: given.private_comment,
  public_comment: given.public_comment,
  obfuscate: given.obfuscate,
})

/** A new rule. @throws ApiError validation for an unknown severity */
const readRule = ({ severity = 'silence', ...given }: Given): DomainRule => ({
  severity: parseSeverity(severity),
  reject_media: given.reject_media ?? false,
  reject_reports: given.reject_reports ?? false,
  private_comment: given.private_comment ?? '',
  public_comment: given.public_comment ?? '',
  obfuscate: given.obfuscate ?? false,
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
  async handle({ domain, ...given }, { database, viewer }) {
    const rule = readRule(given)
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
  async handle(given, { database, viewer }, stored) {
    const change = readChange(given)
    return renderDomainRule(
      await database.transaction(transaction => changeDomainRule(transaction, viewer.id, stored, change)),
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
