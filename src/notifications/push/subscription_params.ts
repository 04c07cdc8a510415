import { param } from '../../platform/http/index.ts'
import { NOTIFICATION_TYPES } from '../index.ts'
import type { Alerts } from './subscription.ts'

/** Whose notifications are pushed: all, those of followed accounts, those of followers, none. */
const POLICIES = ['all', 'followed', 'follower', 'none'] as const
type Policy = (typeof POLICIES)[number]

const policy = param.enumeration(POLICIES, { optional: true, description: 'whose notifications are pushed' })

const alert = param.boolean({ optional: true, description: 'push this type of notification' })

/** The settings of a subscription in a request. */
export const subscriptionParams = {
  data: param.object(
    {
      alerts: param.object(Object.fromEntries(NOTIFICATION_TYPES.map(type => [type, alert])), { optional: true }),
      policy,
    },
    { optional: true, missing: 400 },
  ),
  policy,
}

interface SubscriptionSettings {
  readonly data: { alerts: Record<string, boolean | undefined> | undefined; policy: Policy | undefined } | undefined
  readonly policy: Policy | undefined
}

/** Replaces the stored settings; omitted fields get their defaults (no alerts, policy `all`). */
export function chosenSettings({ data, policy: outer }: SubscriptionSettings): { alerts: Alerts; policy: Policy } {
  const alerts: Record<string, boolean> = {}
  for (const [type, enabled] of Object.entries(data?.alerts ?? {})) if (enabled !== undefined) alerts[type] = enabled
  return { alerts, policy: data?.policy ?? outer ?? 'all' }
}
