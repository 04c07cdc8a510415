import type { Id } from '../core/id.ts'

/**
 * The values that the feature policy of an account may contain; the last two name no group of
 * accounts.
 */
const FEATURE_GROUPS = ['public', 'followers', 'following', 'disabled', 'unsupported_policy'] as const
export type FeatureGroup = (typeof FEATURE_GROUPS)[number]

/** Who may put an account into a collection: without asking, and after asking. */
export interface FeaturePolicy {
  readonly automatic: readonly FeatureGroup[]
  readonly manual: readonly FeatureGroup[]
}

/** How a feature policy applies to the caller. */
export type FeatureApproval = 'automatic' | 'manual' | 'denied' | 'unknown' | 'missing'

export const NOBODY: FeaturePolicy = { automatic: [], manual: [] }
const FOLLOWERS: FeaturePolicy = { automatic: ['followers'], manual: [] }
const EVERYBODY: FeaturePolicy = { automatic: ['public'], manual: [] }

const groupsIn = (stored: readonly string[] | null): FeatureGroup[] =>
  FEATURE_GROUPS.filter(group => stored?.includes(group))

/** The feature policy of an account; null when its server publishes none. */
export function featurePolicyOf(row: {
  readonly domain: string | null
  readonly discoverable: boolean | null
  readonly locked: boolean
  readonly feature_automatic: readonly string[] | null
  readonly feature_manual: readonly string[] | null
}): FeaturePolicy | null {
  if (row.domain === null) return row.discoverable !== true ? NOBODY : row.locked ? FOLLOWERS : EVERYBODY
  if (row.feature_automatic === null && row.feature_manual === null) return null
  return { automatic: groupsIn(row.feature_automatic), manual: groupsIn(row.feature_manual) }
}

/** Whether the policy names this group, so that its effect depends on follows. */
export const includesGroup = (policy: FeaturePolicy | null, group: 'followers' | 'following'): boolean =>
  policy !== null && (policy.automatic.includes(group) || policy.manual.includes(group))

/** Follows between the caller and other accounts, as far as policies depend on them. */
export interface Follows {
  readonly followed: ReadonlySet<Id>
  readonly followers: ReadonlySet<Id>
}

export const NO_FOLLOWS: Follows = { followed: new Set(), followers: new Set() }

/**
 * How the policy of an account applies to the viewer (null: anonymous). Collections are filled by
 * the same rules in sql/functions/feature_approval.sql.
 */
export function approvalFor(
  { id, featurePolicy: policy }: { readonly id: Id; readonly featurePolicy: FeaturePolicy | null },
  viewer: { readonly id: Id } | null,
  { followed, followers }: Follows,
): FeatureApproval {
  if (policy === null) return 'missing'
  if (!viewer) return 'denied'
  const applies = (group: FeatureGroup): boolean =>
    group === 'public' ||
    (group === 'followers' && (followed.has(id) || viewer.id === id)) ||
    (group === 'following' && followers.has(id))
  if (policy.automatic.some(applies)) return 'automatic'
  if (policy.manual.some(applies)) return 'manual'
  return [...policy.automatic, ...policy.manual].includes('unsupported_policy') ? 'unknown' : 'denied'
}
