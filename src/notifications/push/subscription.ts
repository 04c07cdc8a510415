import { c, type Row } from '../../platform/database/index.ts'
import type { Services } from '../../platform/services.ts'

/** Both paths are equivalent. */
export const PATHS = ['/api/v1/push/subscription', '/api/v1/push/subscriptions'] as const

/** Notification type → whether it is pushed; only for types that the client named. */
export type Alerts = Readonly<Record<string, boolean>>

/** The columns of subscriptions, in all queries that show one. */
export const subscriptionColumns = {
  id: c.id,
  endpoint: c.text,
  standard: c.boolean,
  alerts: c.json<Alerts>(),
  policy: c.text,
} as const

/** The entity WebPushSubscription. Its id is a number: subscriptions are numbered from 1. */
export const renderSubscription = (row: Row<typeof subscriptionColumns>, { secrets }: Services): object => ({
  id: Number(row.id),
  endpoint: row.endpoint,
  standard: row.standard,
  alerts: row.alerts,
  server_key: secrets.vapid.publicKey,
  policy: row.policy,
})
