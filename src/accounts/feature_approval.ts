import type { Id } from '../core/id.ts'

/** Groups of accounts in the policy of an account of another server, and what is no group. */
const FEATURE_GROUPS = ['public', 'followers', 'following', 'disabled', 'unsupported_policy'] as const
export type FeatureGroup = (typeof FEATURE_GROUPS)[number]

/** Who may put an account into a collection: without asking, and after asking. */
export interface Featuring {
  readonly automatic: readonly FeatureGroup[]
  readonly manual: readonly FeatureGroup[]
}

/** How it applies to the caller. */
export type FeatureApproval = 'automatic' | 'manual' | 'denied' | 'unknown' | 'missing'

export const NOBODY: Featuring = { automatic: [], manual: [] }
const FOLLOWERS: Featuring = { automatic: ['followers'], manual: [] }
const EVERYBODY: Featuring = { automatic: ['public'], manual: [] }

const groupsIn = (stored: readonly string[] | null): FeatureGroup[] =>
  FEATURE_GROUPS.filter(group => stored?.includes(group))

/** What an account allows; null when its server says nothing. */
export function featuringOf(row: {
  readonly domain: string | null
  readonly discoverable: boolean | null
  readonly locked: boolean
  readonly feature_automatic: readonly string[] | null
  readonly feature_manual: readonly string[] | null
}): Featuring | null {
  if (row.domain === null) return row.discoverable !== true ? NOBODY : row.locked ? FOLLOWERS : EVERYBODY
  if (row.feature_automatic === null && row.feature_manual === null) return null
  return { automatic: groupsIn(row.feature_automatic), manual: groupsIn(row.feature_manual) }
}

/** Whether it depends on who follows whom. */
export const names = (featuring: Featuring | null, group: 'followers' | 'following'): boolean =>
  featuring !== null && (featuring.automatic.includes(group) || featuring.manual.includes(group))

/** Follows between the caller and other accounts, as far as policies depend on them. */
export interface Follows {
  readonly followed: ReadonlySet<Id>
  readonly followers: ReadonlySet<Id>
}

/**
 * How the policy of an account applies to the viewer (null: anonymous). Collections are filled by
 * the same rules in sql/functions/feature_approval.sql.
 */
export function approvalFor(
  { id, featuring }: { readonly id: Id; readonly featuring: Featuring | null },
  viewer: { readonly id: Id } | null,
  { followed, followers }: Follows,
): FeatureApproval {
  if (featuring === null) return 'missing'
  if (!viewer) return 'denied'
  const applies = (group: FeatureGroup): boolean =>
    group === 'public' ||
    (group === 'followers' && (followed.has(id) || viewer.id === id)) ||
    (group === 'following' && followers.has(id))
  if (featuring.automatic.some(applies)) return 'automatic'
  if (featuring.manual.some(applies)) return 'manual'
  return [...featuring.automatic, ...featuring.manual].includes('unsupported_policy') ? 'unknown' : 'denied'
}
