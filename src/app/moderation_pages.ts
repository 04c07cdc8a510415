import { pageOperations as accounts } from '../administration/account_pages/pages.ts'
import { pageOperations as appeals } from '../administration/appeals/pages.ts'
import { pageOperations as auditLog } from '../administration/audit_log/pages.ts'
import { deliveryOperations } from '../administration/instances/deliveries.ts'
import { relayOperations } from '../administration/instances/relays.ts'
import { pageOperations as domainRules } from '../administration/domain_rules/pages.ts'
import { pageOperations as emailBlocks } from '../administration/email_blocks/pages.ts'
import { pageOperations as followRecommendations } from '../administration/follow_recommendations/pages.ts'
import { pageOperations as instances } from '../administration/instances/pages.ts'
import { pageOperations as ipBlocks } from '../administration/ip_blocks/pages.ts'
import { pageOperations as reports } from '../administration/report_pages/pages.ts'
import { pageOperations as statuses } from '../administration/status_pages/pages.ts'
import { pageOperations as tags } from '../administration/tag_pages/pages.ts'
import { pageOperations as tasks } from '../administration/tasks/pages.ts'
import { pageOperations as trends } from '../administration/trends/pages.ts'
import { pageOperations as usernameBlocks } from '../administration/username_blocks/pages.ts'
import { pageOperations as warningPresets } from '../administration/warning_presets/pages.ts'

/** The staff's pages of moderation. */
export const moderationPages = [
  ...accounts,
  ...appeals,
  ...auditLog,
  ...domainRules,
  ...emailBlocks,
  ...followRecommendations,
  ...instances,
  ...deliveryOperations,
  ...relayOperations,
  ...ipBlocks,
  ...reports,
  ...statuses,
  ...tags,
  ...tasks,
  ...trends,
  ...usernameBlocks,
  ...warningPresets,
]
