import { param } from '../../platform/http/index.ts'
import { NOTIFICATION_TYPES } from '../index.ts'
import type { Alerts } from './subscription.ts'

/** From whom notifications are pushed: everybody, whom the person follows, who follows the person, nobody. */
const POLICIES = ['all', 'followed', 'follower', 'none'] as const
type Policy = (typeof POLICIES)[number]

const policy = param.enumeration(POLICIES, { optional: true, description: 'from whom notifications are pushed' })

const alert = param.boolean({ optional: true, description: 'push this type of notification' })

/** What a subscription wants to hear, as clients say it. */
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

/** What is stored: it replaces what was there as a whole, and what is not said is as at first, no alerts and everybody. */
export function chosenSettings({ data, policy: outer }: SubscriptionSettings): { alerts: Alerts; policy: Policy } {
  const alerts: Record<string, boolean> = {}
  for (const [type, wanted] of Object.entries(data?.alerts ?? {})) if (wanted !== undefined) alerts[type] = wanted
  return { alerts, policy: data?.policy ?? outer ?? 'all' }
}
