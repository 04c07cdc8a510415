import { fieldErrorsOf } from '../../auth/sign_up/index.ts'
import { ApiError } from '../../core/errors.ts'
import type { Id } from '../../core/id.ts'
import { param, type AnyOperation } from '../../platform/http/index.ts'
import { staffForm, staffView, type Staff } from '../index.ts'
import { testWebhook } from './deliver.ts'
import { listPage, newPage, PATH, webhookPage } from './pages.ts'
import {
  createWebhook,
  deleteWebhook,
  findWebhook,
  rotateWebhookSecret,
  setWebhookEnabled,
  updateWebhook,
  type Webhook,
} from './webhook.ts'

const permissions = ['manage_webhooks'] as const
const idParam = param.id()
const webhookParam = param.object(
  { url: param.string({ default: '', trim: true }), events: param.strings({ default: [] }) },
  { missing: 400 },
)

/** @throws ApiError notFound */
async function requireWebhook({ context }: Staff, id: Id): Promise<Webhook> {
  const webhook = await findWebhook(context.database, id)
  if (!webhook) throw new ApiError('notFound')
  return webhook
}

const showWebhooks = staffView({
  path: PATH,
  summary: 'List the webhooks',
  permissions,
  params: {},
  show: (_, staff) => listPage(staff),
})

const newWebhook = staffView({
  path: `${PATH}/new`,
  summary: 'Show the form for a new webhook',
  permissions,
  params: {},
  show: (_, staff) => newPage(staff),
})

const createOperation = staffForm({
  path: PATH,
  summary: 'Create a webhook',
  permissions,
  params: { webhook: webhookParam },
  async act({ webhook: draft }, staff) {
    const { context, viewer, translator, t } = staff
    let created: Webhook | undefined
    const errors = await fieldErrorsOf(translator, async () => {
      created = await createWebhook(context.database, viewer, draft)
    })
    if (errors) return newPage(staff, { draft, errors })
    return { to: `${PATH}/${created?.id ?? ''}`, notice: t('webhooks.created') }
  },
})

const showWebhook = staffView({
  path: `${PATH}/:id`,
  summary: 'Show a webhook with its secret and its failures',
  permissions,
  params: { id: idParam },
  show: async (parameters, staff) => webhookPage(staff, await requireWebhook(staff, parameters.id)),
})

const changeOperation = staffForm({
  method: 'PUT',
  path: `${PATH}/:id`,
  summary: 'Change the URL and the events of a webhook',
  permissions,
  params: { id: idParam, webhook: webhookParam },
  async act({ id, webhook: draft }, staff) {
    const { context, viewer, translator, t } = staff
    const webhook = await requireWebhook(staff, id)
    const errors = await fieldErrorsOf(translator, () => updateWebhook(context.database, viewer, id, draft))
    if (errors) return webhookPage(staff, webhook, { draft, errors })
    return { to: `${PATH}/${id}`, notice: t('webhooks.changed') }
  },
})

const setStateOperation = staffForm({
  path: `${PATH}/:id/state`,
  summary: 'Enable or disable a webhook',
  permissions,
  params: { id: idParam, enabled: param.boolean({ missing: 400 }) },
  async act({ id, enabled }, staff) {
    await requireWebhook(staff, id)
    await setWebhookEnabled(staff.context.database, staff.viewer, id, enabled)
    return { to: `${PATH}/${id}`, notice: staff.t('webhooks.changed') }
  },
})

const rotateOperation = staffForm({
  path: `${PATH}/:id/secret`,
  summary: 'Replace the secret of a webhook',
  permissions,
  params: { id: idParam },
  async act({ id }, { context, viewer, t }) {
    if ((await rotateWebhookSecret(context.database, viewer, id)) === undefined) throw new ApiError('notFound')
    return { to: `${PATH}/${id}`, notice: t('webhooks.rotated') }
  },
})

const testOperation = staffForm({
  path: `${PATH}/:id/test`,
  summary: 'Send a test event to a webhook',
  permissions,
  params: { id: idParam },
  async act({ id }, staff) {
    const outcome = await testWebhook(staff.context, await requireWebhook(staff, id))
    const to = `${PATH}/${id}`
    return outcome.delivered
      ? { to, notice: staff.t('webhooks.delivered', { status: outcome.status }) }
      : { to, alert: staff.t('webhooks.not_delivered', { reason: outcome.reason }) }
  },
})

const removeOperation = staffForm({
  method: 'DELETE',
  path: `${PATH}/:id`,
  summary: 'Delete a webhook',
  permissions,
  params: { id: idParam },
  async act({ id }, { context, viewer, t }) {
    if (!(await deleteWebhook(context.database, viewer, id))) throw new ApiError('notFound')
    return { to: PATH, notice: t('webhooks.deleted') }
  },
})

export const operations: readonly AnyOperation[] = [
  showWebhooks,
  newWebhook,
  createOperation,
  showWebhook,
  changeOperation,
  setStateOperation,
  rotateOperation,
  testOperation,
  removeOperation,
]
