import { c, query, type Database, type Row, type Runner } from '../../platform/database/index.ts'
import { normaliseDomain } from '../../accounts/domain_blocks/index.ts'
import { ApiError, validationError } from '../../core/errors.ts'
import type { Id } from '../../core/id.ts'
import { storedDomain } from '../../core/parse_url.ts'
import { enqueue } from '../../platform/jobs/index.ts'
import { applyRule } from './apply.ts'
import { findDomainRule, renderDomainRule, type StoredRule } from './find.ts'
import { undoRule } from './undo_rule.ts'

/**
 * The severity: nothing by itself, accounts are limited, or the domain is treated as nonexistent.
 */
export const SEVERITIES = ['noop', 'silence', 'suspend'] as const
export type Severity = (typeof SEVERITIES)[number]

const findRule = query(
  'moderation/domain_rules/rule',
  { domain: c.text },
  { id: c.id, domain: c.text, severity: c.text, reject_media: c.boolean, reject_reports: c.boolean, since: c.text },
)
const listRules = query(
  'moderation/domain_rules/list',
  {},
  {
    id: c.id,
    domain: c.text,
    severity: c.text,
    reject_media: c.boolean,
    reject_reports: c.boolean,
    obfuscate: c.boolean,
    public_comment: c.text,
    private_comment: c.text,
  },
)
const insertRule = query(
  'moderation/domain_rules/block',
  {
    moderator: c.nullable(c.id),
    domain: c.text,
    severity: c.text,
    reject_media: c.boolean,
    reject_reports: c.boolean,
    public_comment: c.text,
    private_comment: c.text,
    obfuscate: c.boolean,
  },
  { id: c.id, events: c.events },
)
const changeRule = query(
  'moderation/domain_rules/update',
  {
    moderator: c.nullable(c.id),
    rule: c.id,
    severity: c.nullable(c.text),
    reject_media: c.nullable(c.boolean),
    reject_reports: c.nullable(c.boolean),
    public_comment: c.nullable(c.text),
    private_comment: c.nullable(c.text),
    obfuscate: c.nullable(c.boolean),
  },
  { since: c.text, severity: c.text, rejects_media: c.boolean, events: c.events },
)
const deleteRule = query(
  'moderation/domain_rules/unblock',
  { moderator: c.nullable(c.id), domain: c.text },
  { since: c.text, events: c.events },
)

/** A rule about a domain and its subdomains; the most specific rule applies. */
export interface DomainRule {
  readonly severity: Severity
  /** No copies of its pictures are stored. */
  readonly reject_media: boolean
  /** Its reports are discarded. */
  readonly reject_reports: boolean
  readonly public_comment: string
  readonly private_comment: string
  /** The published list replaces half of the name by asterisks. */
  readonly obfuscate: boolean
}

/** A change of a rule: undefined members stay as they are. */
export type DomainRuleChange = { readonly [K in keyof DomainRule]?: DomainRule[K] | undefined }

interface Strictness extends Pick<DomainRule, 'reject_media' | 'reject_reports'> {
  readonly severity: string
}

/** The severity of this name. @throws ApiError validation */
export function parseSeverity(name: string): Severity {
  const found = SEVERITIES.find(known => known === name)
  if (found === undefined) throw validationError('Severity is not included in the list')
  return found
}

const rank = (rule: Strictness): number => SEVERITIES.findIndex(known => known === rule.severity)

/** Whether a rule for a parent domain makes a new rule for a subdomain redundant. */
export function isStricter(above: Strictness, below: Strictness): boolean {
  if (above.severity === 'suspend') return true
  if (rank(above) < rank(below)) return false
  return (above.reject_media || !below.reject_media) && (above.reject_reports || !below.reject_reports)
}

/** All rules, by domain. */
export const listDomainRules = (database: Database): Promise<Row<typeof listRules.columns>[]> =>
  database.run(listRules, {})

/**
 * Checks that a rule about a domain, in any spelling, may be created.
 * @returns the domain, normalised
 * @throws ApiError validation for an invalid domain, or if the domain or a parent has a rule that
 *   makes this one redundant; the body has that rule as `existing_domain_block`
 */
export async function checkNewRule(runner: Runner, name: string, rule: DomainRule): Promise<string> {
  const domain = normaliseDomain(name)
  const existing = await runner.one(findRule, { domain })
  if (!existing || (existing.domain !== domain && !isStricter(existing, rule))) return domain
  const stored = await findDomainRule(runner, existing.id)
  throw new ApiError('validation', {
    message: `You have already imposed stricter limits on ${existing.domain}.`,
    ...(stored && { body: { existing_domain_block: renderDomainRule(stored) } }),
  })
}

/** The rule that applies to a domain in any spelling: its own, or that of the nearest one above. */
export async function findAppliedRule(runner: Runner, name: string): Promise<StoredRule | undefined> {
  const found = await runner.one(findRule, { domain: storedDomain(name.trim()) })
  return found && findDomainRule(runner, found.id)
}

/**
 * Creates a rule about a domain in any spelling. It applies at once to new accounts, and in the
 * background to known ones, instead of that for a parent domain.
 * @param moderator null for the operator
 * @throws ApiError validation as `checkNewRule`
 */
export async function blockDomain(
  transaction: Runner,
  moderator: Id | null,
  name: string,
  rule: DomainRule,
): Promise<StoredRule> {
  const domain = await checkNewRule(transaction, name, rule)
  const above = await transaction.one(findRule, { domain })
  const added = await transaction.one(insertRule, { moderator, domain, ...rule })
  const stored = added && (await findDomainRule(transaction, added.id))
  if (!stored) throw new ApiError('conflict')
  if (above && above.severity !== rule.severity)
    await enqueue(transaction, undoRule, { domain, since: above.since, rule: stored.id })
  else await enqueue(transaction, applyRule, { domain, rule: stored.id })
  return stored
}

/**
 * Changes a rule. With another severity, accounts that it limited are released, and the new limits
 * are applied, both in the background; deleted data are not restored.
 * @param moderator null for the operator
 * @throws ApiError notFound
 */
export async function changeDomainRule(
  transaction: Runner,
  moderator: Id | null,
  { id, domain }: Pick<StoredRule, 'id' | 'domain'>,
  change: DomainRuleChange,
): Promise<StoredRule> {
  const before = await transaction.one(changeRule, {
    moderator,
    rule: id,
    severity: change.severity ?? null,
    reject_media: change.reject_media ?? null,
    reject_reports: change.reject_reports ?? null,
    public_comment: change.public_comment ?? null,
    private_comment: change.private_comment ?? null,
    obfuscate: change.obfuscate ?? null,
  })
  const stored = before && (await findDomainRule(transaction, id))
  if (!stored) throw new ApiError('notFound')
  if (before.severity !== stored.severity)
    await enqueue(transaction, undoRule, { domain, since: before.since, rule: id })
  else if (stored.reject_media && !before.rejects_media) await enqueue(transaction, applyRule, { domain, rule: id })
  return stored
}

/**
 * Deletes a rule. Accounts that it limited are released in the background; deleted data are not
 * restored. A rule about a parent domain takes its place.
 * @returns whether there was one
 */
export async function unblockDomain(transaction: Runner, moderator: Id | null, name: string): Promise<boolean> {
  const domain = normaliseDomain(name)
  const deleted = await transaction.one(deleteRule, { moderator, domain })
  if (!deleted) return false
  const above = await transaction.one(findRule, { domain })
  await enqueue(transaction, undoRule, { domain, since: deleted.since, rule: above?.id ?? null })
  return true
}
