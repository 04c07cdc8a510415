import { moderationActions } from './staff_actions_moderation.ts'
import { siteActions } from './staff_actions_site.ts'
import { upkeepActions } from './staff_actions_upkeep.ts'
import type { StaffAction } from './staff_action.ts'

export const STAFF_ACTIONS: readonly StaffAction[] = [...moderationActions, ...siteActions, ...upkeepActions]

/** Commands that only read. */
export const READING_COMMANDS = [
  'reports list',
  'reports show',
  'notes list',
  'appeals list',
  'warning-presets list',
  'settings list',
  'settings get',
  'rules list',
  'terms list',
  'invites list',
  'domains list',
  'domains export',
  'email_domain_blocks list',
  'canonical_email_blocks find',
  'username_blocks list',
  'ip_blocks list',
  'ip_blocks export',
  'roles list',
  'announcements list',
  'emoji list',
  'emoji export',
  'media usage',
  'media lookup',
  'trends list',
  'webhooks list',
  'email-subscriptions list',
  'deliveries hosts',
  'relays list',
  'jobs list',
  'accounts list',
  'accounts show',
  'check',
  'completion',
  'healthy',
  'config',
  'routes',
  'events',
  'explain',
  'top',
  'version',
]

/** Commands that change something and have no page, with the reason. */
export const OPERATION_COMMANDS: Readonly<Record<string, string>> = {
  'domains crawl': 'prints figures that it asks thousands of servers for, and stores nothing that a page could show',
  'owner-link': 'prints a link while there is no owner',
  backup: 'writes a file, and changes nothing that is stored',
  restart: 'about the processes; nothing stored changes',
  'self-destruct': 'ends the server for good, after two confirmations of the operator',
  restore: 'fills an empty database',
  seed: 'fills an empty database for trials',
  migrate: 'what the server does when it starts',
  psql: 'a prompt of the database',
  secret: 'prints a random text',
  'webpush generate-vapid-key': 'prints a random key',
}
