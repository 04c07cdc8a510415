/** Webhooks: URLs of other programs that receive events of this server. */
export { testWebhook } from './deliver.ts'
export { maySubscribe, WEBHOOK_EVENT_NAMES } from './events.ts'
export {
  createWebhook,
  deleteWebhook,
  findWebhook,
  listWebhooks,
  rotateWebhookSecret,
  setWebhookEnabled,
  updateWebhook,
  type Webhook,
} from './webhook.ts'
