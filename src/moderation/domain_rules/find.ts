import { createHash } from 'node:crypto'
import { c, query, type Row, type Runner } from '../../platform/database/index.ts'
import type { Id } from '../../core/id.ts'
import { rangeParameters, type Range } from '../../platform/http/index.ts'

const columns = {
  id: c.id,
  domain: c.text,
  severity: c.text,
  reject_media: c.boolean,
  reject_reports: c.boolean,
  private_comment: c.text,
  public_comment: c.text,
  obfuscate: c.boolean,
  created_at: c.timestamp,
} as const
const range = {
  max_id: c.nullable(c.id),
  since_id: c.nullable(c.id),
  min_id: c.nullable(c.id),
  limit: c.integer,
} as const
const find = query('moderation/domain_rules/find', { id: c.id }, columns)
const findPage = query('moderation/domain_rules/page', { ...range, by_domain: c.nullable(c.text) }, columns)

const allowColumns = { id: c.id, domain: c.text, created_at: c.timestamp } as const
const findOneAllow = query(
  'moderation/domain_rules/find_allow',
  { id: c.nullable(c.id), domain: c.nullable(c.text) },
  allowColumns,
)
const findAllowPage = query('moderation/domain_rules/allow_page', range, allowColumns)

/** A stored rule. */
export type StoredRule = Row<typeof columns>

/** A domain that limited federation mode allows: the entity Admin::DomainAllow. */
export type DomainAllow = Row<typeof allowColumns>

export const findDomainRule = (runner: Runner, id: Id): Promise<StoredRule | undefined> => runner.one(find, { id })

/**
 * A page of the rules, newest first.
 * @param domain a part of the domain, as stored
 */
export const findDomainRules = (runner: Runner, wanted: Range, domain?: string): Promise<StoredRule[]> =>
  runner.run(findPage, { ...rangeParameters(wanted), by_domain: domain ?? null })

export const findDomainAllow = (runner: Runner, id: Id): Promise<DomainAllow | undefined> =>
  runner.one(findOneAllow, { id, domain: null })

/** @param domain normalised */
export const findAllowOf = (runner: Runner, domain: string): Promise<DomainAllow | undefined> =>
  runner.one(findOneAllow, { id: null, domain })

/** A page of the allowed domains, newest first. */
export const findDomainAllows = (runner: Runner, wanted: Range): Promise<DomainAllow[]> =>
  runner.run(findAllowPage, rangeParameters(wanted))

/** The entity Admin::DomainBlock. */
export const renderDomainRule = ({ id, domain, created_at, private_comment, public_comment, ...rest }: StoredRule) => ({
  id,
  domain,
  digest: createHash('sha256').update(domain).digest('hex'),
  created_at,
  severity: rest.severity,
  reject_media: rest.reject_media,
  reject_reports: rest.reject_reports,
  private_comment: private_comment || null,
  public_comment: public_comment || null,
  obfuscate: rest.obfuscate,
})
