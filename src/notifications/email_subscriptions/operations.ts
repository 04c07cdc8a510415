import { subscribeByApi } from './api.ts'
import { changeOffering, removeSubscriber, showSubscribers } from './settings_page.ts'
import { askForConfirmation, confirmSubscription, subscribeByForm } from './subscribe_pages.ts'

export const operations = [
  subscribeByApi,
  subscribeByForm,
  askForConfirmation,
  confirmSubscription,
  showSubscribers,
  changeOffering,
  removeSubscriber,
]
