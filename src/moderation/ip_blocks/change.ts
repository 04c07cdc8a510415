import { c, query, violatedConstraint, type Row } from '../../platform/database/index.ts'
import type { Id } from '../../core/id.ts'
import { ApiError, validationError } from '../../core/errors.ts'
import type { Severity } from '../../platform/http/address_policy.ts'
import type { Services } from '../../platform/services.ts'
import { findIpBlock, IP_BLOCK_COLUMNS, type IpBlock } from './find.ts'
import { isSeverity } from './ip_blocks.ts'
import { parseNetwork } from './network.ts'

const stored = { ...IP_BLOCK_COLUMNS, events: c.events } as const
const add = query(
  'moderation/ip_blocks/add',
  {
    moderator: c.nullable(c.id),
    ip: c.text,
    severity: c.text,
    comment: c.text,
    expires_at: c.nullable(c.timestamp),
    replaces: c.boolean,
  },
  stored,
)
const update = query(
  'moderation/ip_blocks/update',
  {
    moderator: c.nullable(c.id),
    block: c.id,
    ip: c.nullable(c.text),
    severity: c.nullable(c.text),
    comment: c.nullable(c.text),
    keeps_expiry: c.boolean,
    expires_at: c.nullable(c.timestamp),
  },
  stored,
)
const remove = query(
  'moderation/ip_blocks/remove',
  { moderator: c.nullable(c.id), block: c.nullable(c.id), ip: c.nullable(c.text), covering: c.boolean },
  { removed: c.integer, events: c.events },
)

type Changer = Pick<Services, 'database' | 'ipBlocks'>

/** A rule as a moderator writes it. */
export interface IpRule {
  readonly ip: string
  readonly severity: string
  readonly comment?: string | undefined
  /** Null: until it is removed. */
  readonly expiresAt?: Date | null | undefined
}

const MAX_COMMENT = 2000

const taken = () => validationError('Ip has already been taken')

/** @throws ApiError when another request stored a rule about the network meanwhile */
function refuseTaken(error: unknown): never {
  throw violatedConstraint(error) === 'ip_blocks_ip_key' ? taken() : error
}

/** The stored rule without its events. */
const toIpBlock = ({ id, ip, severity, comment, created_at, expires_at }: Row<typeof stored>): IpBlock => ({
  id,
  ip,
  severity,
  comment,
  created_at,
  expires_at,
})

interface ParsedRule {
  readonly ip: string
  readonly severity: Severity
  readonly comment: string
  readonly expires_at: Date | null
}

/** @throws ApiError validation */
function parseRule({ ip, severity, comment = '', expiresAt = null }: IpRule): ParsedRule {
  const network = parseNetwork(ip)
  const errors: string[] = []
  if (!isSeverity(severity)) errors.push('Severity is not included in the list')
  if (network === undefined) errors.push("Ip can't be blank")
  if (severity === '') errors.push("Severity can't be blank")
  if (comment.length > MAX_COMMENT) errors.push(`Comment is too long (maximum is ${MAX_COMMENT} characters)`)
  if (network === undefined || !isSeverity(severity) || errors.length > 0) throw validationError(...errors)
  return { ip: network, severity, comment, expires_at: expiresAt }
}

/**
 * Adds a rule about a network. It is in effect here when this resolves; other processes are
 * notified.
 * @param moderator null for the operator
 * @param replaces whether a rule about the same network is replaced
 * @returns undefined if there is one that must not be replaced
 * @throws ApiError validation
 */
export async function addIpBlock(
  services: Changer,
  moderator: Id | null,
  rule: IpRule,
  replaces = false,
): Promise<IpBlock | undefined> {
  const added = await services.database.one(add, { moderator, ...parseRule(rule), replaces })
  await services.ipBlocks.settled()
  return added && toIpBlock(added)
}

/**
 * As `addIpBlock`, for a new rule.
 * @throws ApiError validation, also when there is a rule about the network
 */
export async function createIpBlock(services: Changer, moderator: Id | null, rule: IpRule): Promise<IpBlock> {
  const block = await addIpBlock(services, moderator, rule)
  if (!block) throw taken()
  return block
}

/**
 * Changes a rule; members that are undefined stay unchanged, also if another request changes them
 * meanwhile.
 * @throws ApiError validation, or notFound if the rule was removed meanwhile
 */
export async function updateIpBlock(
  services: Changer,
  moderator: Id | null,
  block: IpBlock,
  changes: { readonly [K in keyof IpRule]?: IpRule[K] | undefined },
): Promise<IpBlock> {
  const { ip = block.ip, severity = block.severity, comment = block.comment, expiresAt } = changes
  const parsed = parseRule({ ip, severity, comment, expiresAt })
  const changed = await services.database
    .one(update, {
      moderator,
      block: block.id,
      ip: changes.ip === undefined ? null : parsed.ip,
      severity: changes.severity === undefined ? null : parsed.severity,
      comment: changes.comment === undefined ? null : parsed.comment,
      keeps_expiry: expiresAt === undefined,
      expires_at: parsed.expires_at,
    })
    .catch(refuseTaken)
  await services.ipBlocks.settled()
  if (changed) return toIpBlock(changed)
  throw (await findIpBlock(services.database, block.id)) ? taken() : new ApiError('notFound')
}

/** Removes a rule, which may be about another network by now; returns whether it was there. */
export async function removeIpBlock(services: Changer, moderator: Id | null, block: Id): Promise<boolean> {
  const removed = await services.database.one(remove, { moderator, block, ip: null, covering: false })
  await services.ipBlocks.settled()
  return (removed?.removed ?? 0) > 0
}

/**
 * Removes the rule about a network, with `covering` also those about networks that contain it;
 * returns their number.
 */
export async function removeIpBlocksOf(
  services: Changer,
  moderator: Id | null,
  ip: string,
  covering = false,
): Promise<number> {
  const network = parseNetwork(ip)
  if (network === undefined) return 0
  const removed = await services.database.one(remove, { moderator, block: null, ip: network, covering })
  await services.ipBlocks.settled()
  return removed?.removed ?? 0
}
