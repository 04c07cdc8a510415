import { jobs as accountRemoval } from '../accounts/deletion/jobs.ts'
import { jobs as accountMigration } from '../accounts/migration/jobs.ts'
import { jobs as accounts } from '../accounts/jobs.ts'
import { jobs as announcements } from '../instance/announcements/jobs.ts'
import { jobs as annualReports } from '../instance/annual_reports/jobs.ts'
import { jobs as asyncRefreshes } from '../instance/async_refreshes/jobs.ts'
import { jobs as authorization } from '../auth/oauth/jobs.ts'
import { jobs as automatedDeletion } from '../statuses/automated_deletion/jobs.ts'
import { jobs as credentials } from '../auth/account_settings/credentials/jobs.ts'
import { jobs as dataImport } from '../timelines/data_import/jobs.ts'
import { jobs as domainBlocks } from '../accounts/domain_blocks/jobs.ts'
import { jobs as emailSubscriptions } from '../notifications/email_subscriptions/jobs.ts'
import { jobs as exports } from '../auth/data_export/jobs.ts'
import { jobs as signatures } from '../federation/http_signatures/jobs.ts'
import { jobs as selfDestruct } from '../federation/self_destruct/jobs.ts'
import { jobs as federationTasks } from '../federation/tasks/jobs.ts'
import { jobs as deliveries } from '../federation/send/jobs.ts'
import { jobs as mailings } from '../instance/mailings/jobs.ts'
import { jobs as instance } from '../instance/jobs.ts'
import type { Job } from '../platform/jobs/index.ts'
import { jobs as failedJobs } from '../platform/jobs/remove_failed.ts'
import { jobs as letters } from '../platform/mail/messages/jobs.ts'
import { jobs as media } from '../media/attachments/jobs.ts'
import { jobs as moderatedDomains } from '../moderation/domain_rules/jobs.ts'
import { jobs as moderation } from '../moderation/jobs.ts'
import { jobs as notificationMail } from '../notifications/email/jobs.ts'
import { jobs as notificationRequests } from '../notifications/requests/jobs.ts'
import { jobs as polls } from '../statuses/polls/jobs.ts'
import { jobs as previewCards } from '../statuses/preview_cards/jobs.ts'
import { jobs as push } from '../notifications/push/jobs.ts'
import { jobs as inboxes } from '../federation/inbox/jobs.ts'
import { jobs as receiving } from '../federation/receive/jobs.ts'
import { jobs as listRemoteAccounts } from '../federation/remote_accounts/jobs.ts'
import { jobs as reports } from '../moderation/reports/jobs.ts'
import { jobs as registration } from '../auth/sign_up/jobs.ts'
import { jobs as retention } from '../moderation/retention/jobs.ts'
import { jobs as scheduledBackup } from './scheduled_backup.ts'
import { jobs as staffTasks } from '../moderation/tasks/jobs.ts'
import { jobs as statuses } from '../statuses/jobs.ts'
import { jobs as suggestions } from '../accounts/suggestions/jobs.ts'
import { jobs as translation } from '../statuses/translation/jobs.ts'
import { jobs as trends } from '../timelines/trends/jobs.ts'
import { jobs as twoFactor } from '../auth/two_factor/jobs.ts'
import { jobs as webhooks } from '../administration/webhooks/jobs.ts'
import type { Services } from '../platform/services.ts'

/** All background jobs of the server. */
export const jobs: readonly Job<unknown, Services>[] = [
  ...accountRemoval,
  ...accountMigration,
  ...accounts,
  ...announcements,
  ...annualReports,
  ...asyncRefreshes,
  ...authorization,
  ...automatedDeletion,
  ...credentials,
  ...dataImport,
  ...emailSubscriptions,
  ...exports,
  ...federationTasks,
  ...instance,
  ...failedJobs,
  ...letters,
  ...mailings,
  ...media,
  ...domainBlocks,
  ...moderatedDomains,
  ...moderation,
  ...notificationMail,
  ...notificationRequests,
  ...polls,
  ...previewCards,
  ...push,
  ...inboxes,
  ...receiving,
  ...registration,
  ...listRemoteAccounts,
  ...reports,
  ...retention,
  ...scheduledBackup,
  ...selfDestruct,
  ...staffTasks,
  ...signatures,
  ...deliveries,
  ...statuses,
  ...suggestions,
  ...translation,
  ...trends,
  ...twoFactor,
  ...webhooks,
]
