import { c, query, type Row, type Runner } from '../../platform/database/index.ts'
import { validationError } from '../../core/errors.ts'
import type { Id } from '../../core/id.ts'
import { rangeParameters, type Range } from '../../platform/http/index.ts'
import { normaliseDomain } from './domain.ts'

/** The attempts to sign up on a day (UTC). */
export interface DayOfAttempts {
  /** The midnight that begins it, in seconds. */
  readonly day: number
  readonly uses: number
  /** Distinct IP addresses. */
  readonly accounts: number
}

const columns = {
  id: c.id,
  domain: c.text,
  created_at: c.timestamp,
  allow_with_approval: c.boolean,
  history: c.json<DayOfAttempts[]>(),
} as const
const addDomain = query(
  'moderation/email_blocks/add_domain',
  { moderator: c.nullable(c.id), domain: c.text, allow_with_approval: c.boolean, parent: c.nullable(c.id) },
  { id: c.id },
)
const removeDomain = query(
  'moderation/email_blocks/remove_domain',
  { moderator: c.nullable(c.id), domain: c.text },
  { id: c.id },
)
const allDomains = query(
  'moderation/email_blocks/domains',
  {},
  { id: c.id, domain: c.text, allow_with_approval: c.boolean, parent_id: c.nullable(c.id) },
)
const findOne = query('moderation/email_blocks/domain_block', { id: c.id }, columns)
const findPage = query(
  'moderation/email_blocks/domain_page',
  { max_id: c.nullable(c.id), since_id: c.nullable(c.id), min_id: c.nullable(c.id), limit: c.integer },
  columns,
)

/** A blocked e-mail domain with its attempts in the last seven days. */
export type EmailDomainBlock = Row<typeof columns>

/** All blocked e-mail domains, newest first. */
export const listDomainBlocks = (runner: Runner) => runner.run(allDomains, {})

export const findDomainBlock = (runner: Runner, id: Id): Promise<EmailDomainBlock | undefined> =>
  runner.one(findOne, { id })

/** A page of the blocked e-mail domains, newest first. */
export const findDomainBlocks = (runner: Runner, range: Range): Promise<EmailDomainBlock[]> =>
  runner.run(findPage, rangeParameters(range))

/**
 * Blocks a normalised e-mail domain. A mail server's entry names the domain whose mail it receives.
 * @param moderator null for the operator
 * @returns the block's id; undefined if it was blocked already
 */
export async function blockDomain(
  runner: Runner,
  moderator: Id | null,
  domain: string,
  { allowWithApproval = false, parent = null }: { allowWithApproval?: boolean; parent?: Id | null } = {},
): Promise<Id | undefined> {
  return (await runner.one(addDomain, { moderator, domain, allow_with_approval: allowWithApproval, parent }))?.id
}

/**
 * Blocks an e-mail domain in any spelling.
 * @throws ApiError validation for an invalid domain, or one that is blocked already
 */
export async function createDomainBlock(
  runner: Runner,
  moderator: Id | null,
  name: string,
  allowWithApproval: boolean,
): Promise<EmailDomainBlock> {
  if (name.trim() === '') throw validationError("Domain can't be blank")
  const domain = normaliseDomain(name)
  if (domain === undefined) throw validationError('Domain is not a valid domain name')
  const id = await blockDomain(runner, moderator, domain, { allowWithApproval })
  const block = id === undefined ? undefined : await findDomainBlock(runner, id)
  if (!block) throw validationError('Domain has already been taken')
  return block
}

/** Unblocks a domain and its mail servers; returns whether it was blocked. */
export const unblockDomain = async (runner: Runner, moderator: Id | null, domain: string): Promise<boolean> =>
  (await runner.one(removeDomain, { moderator, domain })) !== undefined
