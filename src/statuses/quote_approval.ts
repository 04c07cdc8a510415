import { followersAmong } from '../accounts/index.ts'
import type { Id } from '../core/id.ts'
import type { Services } from '../platform/services.ts'
import type { StatusFragment } from './fragment.ts'

/**
 * Quote policies of other servers that local accounts cannot choose. The words before `manual` say
 * who may quote at once; those after it who may ask, everybody when there are none. `unsupported`
 * stands for others than followers and followed.
 */
export const REMOTE_QUOTE_POLICIES = [
  'manual',
  'manual_followers',
  'manual_following',
  'manual_followers_following',
  'followers_manual',
  'followers_manual_following',
  'following',
  'following_manual_followers',
  'following_manual',
  'followers_following',
  'followers_following_manual',
  'unsupported',
  'manual_unsupported',
] as const

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

const approvalsByPolicy = new Map(
  ['public', 'followers', 'nobody', ...REMOTE_QUOTE_POLICIES].map(policy => [policy, readApprovals(policy)]),
)

export const approvalsOf = (policy: string): Approvals => approvalsByPolicy.get(policy) ?? readApprovals('nobody')

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
