import { followersAmong } from '../accounts/index.ts'
import type { Id } from '../core/id.ts'
import type { Services } from '../platform/services.ts'
import type { StatusFragment } from './fragment.ts'

/** `unsupported` stands for others than followers and followed. */
const QUOTE_GROUPS = ['unsupported', 'followers', 'following'] as const
export type QuoteGroup = 'public' | (typeof QUOTE_GROUPS)[number]

/**
 * A quote policy as it is stored: `public`, `nobody`, or words. Those before `manual` say who may
 * quote at once; those after it who may ask, everybody when there are none. Local accounts can
 * choose `public`, `followers` and `nobody` only.
 */
export function quotePolicyOf(automatic: readonly QuoteGroup[], manual: readonly QuoteGroup[]): string {
  if (automatic.includes('public')) return 'public'
  const words = (groups: readonly QuoteGroup[]): string[] =>
    groups.includes('public') ? [] : QUOTE_GROUPS.filter(group => groups.includes(group))
  const all = [...words(automatic), ...(manual.length > 0 ? ['manual', ...words(manual)] : [])]
  return all.length > 0 ? all.join('_') : 'nobody'
}

/** As in the entity QuoteApproval: who may quote at once, and who may ask. */
interface Approvals {
  readonly automatic: readonly string[]
  readonly manual: readonly string[]
}

function readApprovals(policy: string): Approvals {
  if (policy === 'public') return { automatic: ['public'], manual: [] }
  if (policy === 'nobody') return { automatic: [], manual: [] }
  const words = policy.split('_').map(word => (word === 'unsupported' ? 'unsupported_policy' : word))
  const at = words.indexOf('manual')
  if (at < 0) return { automatic: words, manual: [] }
  return { automatic: words.slice(0, at), manual: at + 1 < words.length ? words.slice(at + 1) : ['public'] }
}

/** By policy; there are less than a hundred. */
const approvals = new Map<string, Approvals>()

export function approvalsOf(policy: string): Approvals {
  const known = approvals.get(policy)
  if (known) return known
  const read = readApprovals(policy)
  approvals.set(policy, read)
  return read
}

/** Whether it matters for a quote whom the author follows. */
export const asksForFollowed = ({ quotePolicy }: StatusFragment): boolean => quotePolicy.includes('following')

export type CurrentUser = 'automatic' | 'manual' | 'denied' | 'unknown'

/** The effect of a quote by an account that is not the author. */
export function approvalFor(policy: string, follows: () => boolean, isFollowed: () => boolean): CurrentUser {
  const { automatic, manual } = approvalsOf(policy)
  const isIn = (group: string): boolean =>
    group === 'public' || (group === 'followers' && follows()) || (group === 'following' && isFollowed())
  if (automatic.some(isIn)) return 'automatic'
  if (manual.some(isIn)) return 'manual'
  return automatic.concat(manual).includes('unsupported_policy') ? 'unknown' : 'denied'
}

const NOBODY: ReadonlySet<Id> = new Set()

/** The authors who follow the viewer, of those statuses where this decides about quotes. */
export async function authorsWhoFollow(
  { database }: Services,
  viewer: Id | undefined,
  fragments: Iterable<StatusFragment>,
): Promise<ReadonlySet<Id>> {
  const asked = new Set<Id>()
  for (const fragment of fragments) if (asksForFollowed(fragment)) asked.add(fragment.accountId)
  return viewer === undefined ? NOBODY : followersAmong(database, viewer, asked)
}
