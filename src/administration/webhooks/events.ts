import { hasPermission, type Permission } from '../../core/permissions.ts'
import type { Viewer } from '../../core/viewer.ts'

/**
 * The events that webhooks may subscribe to, each with the permission that the moderator needs,
 * because the receiver sees what this permission shows. The SQL function `enqueue_webhooks` detects
 * the events.
 */
export const WEBHOOK_EVENTS = {
  'account.approved': 'manage_users',
  'account.created': 'manage_users',
  'account.updated': 'manage_users',
  'report.created': 'manage_reports',
  'report.updated': 'manage_reports',
  'status.created': 'view_devops',
  'status.updated': 'view_devops',
} as const satisfies Readonly<Record<string, Permission>>

export type WebhookEvent = keyof typeof WEBHOOK_EVENTS

export const isWebhookEvent = (name: string): name is WebhookEvent => Object.hasOwn(WEBHOOK_EVENTS, name)

/** All events, in alphabetical order. */
export const WEBHOOK_EVENT_NAMES: readonly WebhookEvent[] = Object.keys(WEBHOOK_EVENTS).filter(isWebhookEvent)

/** Whether the moderator may subscribe a webhook to an event; null for the operator. */
export const maySubscribe = (moderator: Viewer | null, event: WebhookEvent): boolean =>
  moderator === null || hasPermission(moderator, WEBHOOK_EVENTS[event])
