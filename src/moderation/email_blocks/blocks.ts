import { c, query, type Runner } from '../../platform/database/index.ts'
import type { Id } from '../../core/id.ts'

const addDomain = query(
  'moderation/email_blocks/add_domain',
  { domain: c.text, allow_with_approval: c.boolean, parent: c.nullable(c.id) },
  { id: c.id },
)
const removeDomain = query('moderation/email_blocks/remove_domain', { domain: c.text }, { id: c.id })
const allDomains = query(
  'moderation/email_blocks/domains',
  {},
  { id: c.id, domain: c.text, allow_with_approval: c.boolean, parent_id: c.nullable(c.id) },
)
const findAddress = query('moderation/email_blocks/find_address', { email: c.text }, { id: c.id })
const removeAddress = query('moderation/email_blocks/remove_address', { email: c.text }, { id: c.id })

/** All blocked e-mail domains, newest first. */
export const listDomainBlocks = (runner: Runner) => runner.run(allDomains, {})

/**
 * Blocks a normalized e-mail domain. A mail server's entry names the domain whose mail it receives.
 * @returns the block's id; undefined if it was blocked already
 */
export async function blockDomain(
  runner: Runner,
  domain: string,
  { allowWithApproval = false, parent = null }: { allowWithApproval?: boolean; parent?: Id | null } = {},
): Promise<Id | undefined> {
  return (await runner.one(addDomain, { domain, allow_with_approval: allowWithApproval, parent }))?.id
}

/** Unblocks a domain; returns whether it was blocked. */
export const unblockDomain = async (runner: Runner, domain: string): Promise<boolean> =>
  (await runner.one(removeDomain, { domain })) !== undefined

/** Whether an address is blocked in any spelling. */
export const isAddressBlocked = async (runner: Runner, email: string): Promise<boolean> =>
  (await runner.one(findAddress, { email })) !== undefined

/** Unblocks an address; returns whether it was blocked. */
export const unblockAddress = async (runner: Runner, email: string): Promise<boolean> =>
  (await runner.one(removeAddress, { email })) !== undefined
