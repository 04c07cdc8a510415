import { clearNotifications, dismissByBody, dismissNotification, dismissNotificationGroup } from './dismiss.ts'
import { countUnreadGroups, showGroup, showGroupAccounts, showGroups } from './groups.ts'
import { countUnread, showNotification, showNotifications } from './show.ts'

export const operations = [
  showNotifications,
  countUnread,
  showNotification,
  clearNotifications,
  dismissNotification,
  dismissByBody,
  showGroups,
  countUnreadGroups,
  showGroup,
  showGroupAccounts,
  dismissNotificationGroup,
]
