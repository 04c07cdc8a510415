import type { AnyOperation } from '../platform/http/operation.ts'
import { adminLists } from './admin_lists.ts'
import { operations as administration } from '../administration/operations.ts'
import { pageOperations as dashboard } from '../administration/dashboard/page.ts'
import { operations as measures } from '../administration/measures/operations.ts'
import { describeApi } from './openapi/operations.ts'
import { moderationPages } from './moderation_pages.ts'
import { sitePages } from './site_pages.ts'
import { operations as accountRemoval } from '../auth/account_settings/deletion/operations.ts'
import { operations as accounts } from '../accounts/operations.ts'
import { operations as adminAccounts } from '../administration/accounts/operations.ts'
import { operations as adminReports } from '../administration/reports/operations.ts'
import { operations as health } from '../instance/health/operations.ts'
import { operations as disputes } from '../auth/appeals/operations.ts'
import { operations as exports } from '../auth/data_export/operations.ts'
import { operations as instance } from '../instance/operations.ts'
import { operations as apps } from '../auth/oauth/apps/operations.ts'
import { operations as authorization } from '../auth/oauth/operations.ts'
import { operations as dataImport } from '../timelines/data_import/operations.ts'
import { operations as ownApplications } from '../auth/oauth/own_applications/operations.ts'
import { operations as ownerSetup } from '../auth/owner_setup/operations.ts'
import { operations as securityKeys } from '../auth/security_keys/operations.ts'
import { operations as lists } from '../timelines/lists/operations.ts'
import { operations as notificationPolicy } from '../notifications/policy/operations.ts'
import { operations as notificationRequests } from '../notifications/requests/operations.ts'
import { operations as notificationMail } from '../notifications/email/operations.ts'
import { operations as emailSubscriptions } from '../notifications/email_subscriptions/operations.ts'
import { operations as unsubscribe } from '../notifications/unsubscribe/page.ts'
import { operations as notifications } from '../notifications/operations.ts'
import { operations as streams } from '../timelines/streams/operations.ts'
import { operations as timelines } from '../timelines/operations.ts'
import { operations as polls } from '../statuses/polls/operations.ts'
import { operations as statuses } from '../statuses/operations.ts'
import { operations as pages } from '../platform/ui/operations.ts'
import { operations as signIn } from '../auth/sign_in/operations.ts'
import { operations as registration } from '../auth/sign_up/operations.ts'
import { operations as invites } from '../auth/sign_up/invites/operations.ts'
import { operations as accountPages } from '../auth/account_settings/operations.ts'
import { operations as twoFactor } from '../auth/two_factor/operations.ts'
import { operations as credentials } from '../auth/account_settings/credentials/operations.ts'
import { operations as start } from '../web/landing/operations.ts'
import { operations as markers } from '../timelines/markers/operations.ts'
import { operations as customEmojis } from '../media/custom_emojis/operations.ts'
import { operations as announcements } from '../instance/announcements/operations.ts'
import { operations as tags } from '../timelines/tags/operations.ts'
import { operations as conversations } from '../timelines/conversations/operations.ts'
import { operations as filters } from '../statuses/filters/operations.ts'
import { operations as directory } from '../accounts/directory/operations.ts'
import { operations as suggestions } from '../accounts/suggestions/operations.ts'
import { operations as search } from '../timelines/search/operations.ts'
import { operations as push } from '../notifications/push/operations.ts'
import { operations as trends } from '../timelines/trends/operations.ts'
import { operations as scheduledStatuses } from '../statuses/scheduled/operations.ts'
import { operations as domainBlocks } from '../accounts/domain_blocks/operations.ts'
import { operations as media } from '../media/attachments/operations.ts'
import { operations as mediaPages } from '../web/media_pages/operations.ts'
import { operations as collections } from '../accounts/collections/operations.ts'
import { operations as reports } from '../moderation/reports/operations.ts'
import { operations as annualReports } from '../instance/annual_reports/operations.ts'
import { operations as asyncRefreshes } from '../instance/async_refreshes/operations.ts'
import { operations as embeds } from '../web/embeds/operations.ts'
import { operations as publicPages } from '../web/public/operations.ts'
import { operations as donationCampaigns } from '../instance/donation_campaigns/operations.ts'
import { operations as federatedDocuments } from '../federation/documents/operations.ts'
import { operations as inboxes } from '../federation/inbox/operations.ts'
import { operations as wellKnown } from '../instance/well_known/operations.ts'

/** All operations of the server. */
export const operations: readonly AnyOperation[] = [
  ...accounts,
  ...health,
  ...instance,
  ...apps,
  ...authorization,
  ...ownApplications,
  ...lists,
  ...notificationPolicy,
  ...notificationRequests,
  ...notificationMail,
  ...emailSubscriptions,
  ...unsubscribe,
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
  ...ownerSetup,
  ...securityKeys,
  ...disputes,
  ...exports,
  ...dataImport,
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
  ...federatedDocuments,
  ...inboxes,
  ...wellKnown,
  ...administration,
  ...measures,
  ...dashboard,
  ...adminLists,
  ...sitePages,
  ...adminAccounts,
  ...adminReports,
  ...moderationPages,
  ...describeApi(() => operations),
]
