import { jobs as accountRemoval } from './account_removal/jobs.ts'
import { jobs as accounts } from './accounts/jobs.ts'
import { jobs as announcements } from './announcements/jobs.ts'
import { jobs as annualReports } from './annual_reports/jobs.ts'
import { jobs as asyncRefreshes } from './async_refreshes/jobs.ts'
import { jobs as authorization } from './authorization/jobs.ts'
import { jobs as credentials } from './credentials/jobs.ts'
import { jobs as domainBlocks } from './domain_blocks/jobs.ts'
import { jobs as exports } from './exports/jobs.ts'
import { jobs as instance } from './instance/jobs.ts'
import type { Job } from './jobs/index.ts'
import { jobs as letters } from './letters/jobs.ts'
import { jobs as media } from './media/jobs.ts'
import { jobs as moderatedDomains } from './moderated_domains/jobs.ts'
import { jobs as moderation } from './moderation/jobs.ts'
import { jobs as notificationMail } from './notification_mail/jobs.ts'
import { jobs as notificationRequests } from './notification_requests/jobs.ts'
import { jobs as polls } from './polls/jobs.ts'
import { jobs as previewCards } from './preview_cards/jobs.ts'
import { jobs as push } from './push/jobs.ts'
import { jobs as reports } from './reports/jobs.ts'
import { jobs as registration } from './registration/jobs.ts'
import { jobs as retention } from './retention/jobs.ts'
import { jobs as statuses } from './statuses/jobs.ts'
import { jobs as suggestions } from './suggestions/jobs.ts'
import { jobs as translation } from './translation/jobs.ts'
import { jobs as trends } from './trends/jobs.ts'
import { jobs as twoFactor } from './two_factor/jobs.ts'
import type { Services } from './services.ts'

/** Every kind of job of the server, by domain. */
export const jobs: readonly Job<unknown, Services>[] = [
  ...accountRemoval,
  ...accounts,
  ...announcements,
  ...annualReports,
  ...asyncRefreshes,
  ...authorization,
  ...credentials,
  ...exports,
  ...instance,
  ...letters,
  ...media,
  ...domainBlocks,
  ...moderatedDomains,
  ...moderation,
  ...notificationMail,
  ...notificationRequests,
  ...polls,
  ...previewCards,
  ...push,
  ...registration,
  ...reports,
  ...retention,
  ...statuses,
  ...suggestions,
  ...translation,
  ...trends,
  ...twoFactor,
]
