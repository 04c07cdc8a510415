import { clearNotifications, dismissByBody, dismissNotification } from './dismiss.ts'
import { countUnread, showNotification, showNotifications } from './show.ts'

export const operations = [
  showNotifications,
  countUnread,
  showNotification,
  clearNotifications,
  dismissNotification,
  dismissByBody,
]
