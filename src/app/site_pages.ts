import { operations as announcements } from '../administration/announcements/operations.ts'
import { operations as customEmojis } from '../administration/custom_emojis/operations.ts'
import { operations as invites } from '../administration/invites/operations.ts'
import { operations as jobQueues } from '../administration/job_queues/operations.ts'
import { operations as roles } from '../administration/roles/operations.ts'
import { operations as rules } from '../administration/rules/operations.ts'
import { operations as settings } from '../administration/settings/operations.ts'
import { operations as terms } from '../administration/terms/operations.ts'
import { operations as webhooks } from '../administration/webhooks/operations.ts'
import type { AnyOperation } from '../platform/http/operation.ts'

/** The staff's pages of the server: settings, texts, emojis, roles, jobs. */
export const sitePages: readonly AnyOperation[] = [
  ...settings,
  ...rules,
  ...announcements,
  ...roles,
  ...terms,
  ...customEmojis,
  ...invites,
  ...jobQueues,
  ...webhooks,
]
