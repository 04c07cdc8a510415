import type { AnyOperation } from './http/operation.ts'
import { operations as accountRemoval } from './account_removal/operations.ts'
import { operations as accounts } from './accounts/operations.ts'
import { operations as health } from './health/operations.ts'
import { operations as disputes } from './disputes/operations.ts'
import { operations as exports } from './exports/operations.ts'
import { operations as instance } from './instance/operations.ts'
import { operations as apps } from './apps/operations.ts'
import { operations as authorization } from './authorization/operations.ts'
import { operations as lists } from './lists/operations.ts'
import { operations as notificationPolicy } from './notification_policy/operations.ts'
import { operations as notificationRequests } from './notification_requests/operations.ts'
import { operations as notificationMail } from './notification_mail/operations.ts'
import { operations as notifications } from './notifications/operations.ts'
import { operations as streams } from './streams/operations.ts'
import { operations as timelines } from './timelines/operations.ts'
import { operations as polls } from './polls/operations.ts'
import { operations as statuses } from './statuses/operations.ts'
import { operations as pages } from './pages/operations.ts'
import { operations as signIn } from './sign_in/operations.ts'
import { operations as registration } from './registration/operations.ts'
import { operations as invites } from './invites/operations.ts'
import { operations as accountPages } from './account_pages/operations.ts'
import { operations as twoFactor } from './two_factor/operations.ts'
import { operations as credentials } from './credentials/operations.ts'
import { operations as start } from './start/operations.ts'
import { operations as markers } from './markers/operations.ts'
import { operations as customEmojis } from './custom_emojis/operations.ts'
import { operations as announcements } from './announcements/operations.ts'
import { operations as tags } from './tags/operations.ts'
import { operations as conversations } from './conversations/operations.ts'
import { operations as filters } from './filters/operations.ts'
import { operations as directory } from './directory/operations.ts'
import { operations as suggestions } from './suggestions/operations.ts'
import { operations as search } from './search/operations.ts'
import { operations as push } from './push/operations.ts'
import { operations as trends } from './trends/operations.ts'
import { operations as scheduledStatuses } from './scheduled_statuses/operations.ts'
import { operations as domainBlocks } from './domain_blocks/operations.ts'
import { operations as media } from './media/operations.ts'
import { operations as mediaPages } from './media_pages/operations.ts'
import { operations as collections } from './collections/operations.ts'
import { operations as reports } from './reports/operations.ts'
import { operations as annualReports } from './annual_reports/operations.ts'
import { operations as asyncRefreshes } from './async_refreshes/operations.ts'
import { operations as embeds } from './embeds/operations.ts'
import { operations as publicPages } from './public_pages/operations.ts'
import { operations as donationCampaigns } from './donation_campaigns/operations.ts'
import { operations as wellKnown } from './well_known/operations.ts'

/** Every operation of the server, by domain. */
export const operations: readonly AnyOperation[] = [
  ...accounts,
  ...health,
  ...instance,
  ...apps,
  ...authorization,
  ...lists,
  ...notificationPolicy,
  ...notificationRequests,
  ...notificationMail,
  ...notifications,
  ...streams,
  ...timelines,
  ...polls,
  ...embeds,
  ...publicPages,
  ...statuses,
  ...pages,
  ...signIn,
  ...registration,
  ...accountPages,
  ...accountRemoval,
  ...twoFactor,
  ...disputes,
  ...exports,
  ...invites,
  ...credentials,
  ...start,
  ...markers,
  ...customEmojis,
  ...announcements,
  ...tags,
  ...conversations,
  ...filters,
  ...directory,
  ...suggestions,
  ...search,
  ...push,
  ...trends,
  ...scheduledStatuses,
  ...domainBlocks,
  ...media,
  ...mediaPages,
  ...collections,
  ...reports,
  ...annualReports,
  ...asyncRefreshes,
  ...donationCampaigns,
  ...wellKnown,
]
