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
const id = param.id()
const webhook = param.object(
  { url: param.string({ default: '', trim: true }), events: param.strings({ default: [] }) },
  { missing: 400 },
)

/** @throws ApiError notFound */
async function requireWebhook({ context }: Staff, wanted: Id): Promise<Webhook> {
  const found = await findWebhook(context.database, wanted)
  if (!found) throw new ApiError('notFound')
  return found
}

const showWebhooks = staffView({
  path: PATH,
  summary: 'The webhooks of this server',
  permissions,
  params: {},
  show: (_, staff) => listPage(staff),
})

const newWebhook = staffView({
  path: `${PATH}/new`,
  summary: 'Form for a new webhook',
  permissions,
  params: {},
  show: (_, staff) => newPage(staff),
})

const create = staffForm({
  path: PATH,
  summary: 'Create a webhook',
  permissions,
  params: { webhook },
  async act({ webhook: draft }, staff) {
    const { context, viewer, translator, t } = staff
    let made: Webhook | undefined
    const errors = await fieldErrorsOf(translator, async () => {
      made = await createWebhook(context.database, viewer, draft)
    })
    if (errors) return newPage(staff, { draft, errors })
    return { to: `${PATH}/${made?.id ?? ''}`, notice: t('webhooks.created') }
  },
})

const showWebhook = staffView({
  path: `${PATH}/:id`,
  summary: 'A webhook with its secret and its failures',
  permissions,
  params: { id },
  show: async (parameters, staff) => webhookPage(staff, await requireWebhook(staff, parameters.id)),
})

const change = staffForm({
  method: 'PUT',
  path: `${PATH}/:id`,
  summary: 'Change the URL and the events of a webhook',
  permissions,
  params: { id, webhook },
  async act({ id: changed, webhook: draft }, staff) {
    const { context, viewer, translator, t } = staff
    const found = await requireWebhook(staff, changed)
    const errors = await fieldErrorsOf(translator, () => updateWebhook(context.database, viewer, changed, draft))
    if (errors) return webhookPage(staff, found, { draft, errors })
    return { to: `${PATH}/${changed}`, notice: t('webhooks.changed') }
  },
})

const setState = staffForm({
  path: `${PATH}/:id/state`,
  summary: 'Enable or disable a webhook',
  permissions,
  params: { id, enabled: param.boolean({ missing: 400 }) },
  async act({ id: changed, enabled }, staff) {
    await requireWebhook(staff, changed)
    await setWebhookEnabled(staff.context.database, staff.viewer, changed, enabled)
    return { to: `${PATH}/${changed}`, notice: staff.t('webhooks.changed') }
  },
})

const rotate = staffForm({
  path: `${PATH}/:id/secret`,
  summary: 'Replace the secret of a webhook',
  permissions,
  params: { id },
  async act({ id: changed }, { context, viewer, t }) {
    if ((await rotateWebhookSecret(context.database, viewer, changed)) === undefined) throw new ApiError('notFound')
    return { to: `${PATH}/${changed}`, notice: t('webhooks.rotated') }
  },
})

const test = staffForm({
  path: `${PATH}/:id/test`,
  summary: 'Send a test event to a webhook',
  permissions,
  params: { id },
  async act({ id: tested }, staff) {
    const outcome = await testWebhook(staff.context, await requireWebhook(staff, tested))
    const to = `${PATH}/${tested}`
    return outcome.delivered
      ? { to, notice: staff.t('webhooks.delivered', { status: outcome.status }) }
      : { to, alert: staff.t('webhooks.not_delivered', { reason: outcome.reason }) }
  },
})

const remove = staffForm({
  method: 'DELETE',
  path: `${PATH}/:id`,
  summary: 'Delete a webhook',
  permissions,
  params: { id },
  async act({ id: removed }, { context, viewer, t }) {
    if (!(await deleteWebhook(context.database, viewer, removed))) throw new ApiError('notFound')
    return { to: PATH, notice: t('webhooks.deleted') }
  },
})

export const operations: readonly AnyOperation[] = [
  showWebhooks,
  newWebhook,
  create,
  showWebhook,
  change,
  setState,
  rotate,
  test,
  remove,
]
