import { fetchRemoteUrl } from '../../accounts/index.ts'
import { isEmail } from '../../auth/sign_up/index.ts'
import { hasPermission } from '../../core/permissions.ts'
import { clearCaches } from '../../platform/cache/clear.ts'
import { param } from '../../platform/http/index.ts'
import { explainMailError } from '../../platform/mail/index.ts'
import { composeEmail } from '../../platform/mail/messages/index.ts'
import { checkbox, disclosure, field, form, html, submit, type Content, type Html } from '../../platform/ui/index.ts'
import { staffForm, type Staff } from '../index.ts'
import { statusPath } from '../page_parts/index.ts'
import { formSection } from './form.ts'
import { TASKS_PATH } from './path.ts'
import { parseUrl } from '../../core/parse_url.ts'

const TOOLS = { fetch: 'manage_federation', clear_caches: 'manage_settings', mail_test: 'manage_settings' } as const
type Tool = keyof typeof TOOLS

const toolForm = ({ t, webSession }: Staff, tool: Tool, fields: Content): Html =>
  disclosure(
    t(`tasks.${tool}`),
    form({ action: `${TASKS_PATH}/${tool}`, csrfToken: webSession.csrfToken() }, [
      html`<p>${t(`tasks.${tool}_hint`)}</p>`,
      fields,
      submit(t(`tasks.${tool}`)),
    ]),
  )

/** The forms of what is done at once. */
export function toolSection(staff: Staff): Content {
  const { t } = staff
  const fields: Readonly<Record<Tool, Content>> = {
    fetch: field({ label: t('tasks.url'), name: 'url', type: 'url', value: '', required: true, verbatim: true }),
    clear_caches: checkbox({ label: t('tasks.feeds_only'), name: 'feeds_only', required: false }),
    mail_test: field({ label: t('field.email'), name: 'email', type: 'email', value: '', required: true }),
  }
  return formSection(
    staff,
    'tools',
    t('tasks.tools'),
    (['fetch', 'clear_caches', 'mail_test'] as const).map(tool => ({
      permission: TOOLS[tool],
      content: toolForm(staff, tool, fields[tool]),
    })),
  )
}

const fetchStatus = staffForm({
  path: `${TASKS_PATH}/fetch`,
  summary: 'Fetch a status of another server by its URL',
  permissions: [TOOLS.fetch],
  params: { url: param.string({ default: '', max: 2048, trim: true }) },
  async act({ url }, { context, viewer, t }) {
    const found = parseUrl(url) ? await fetchRemoteUrl(context, url) : undefined
    if (found?.kind !== 'status') return { to: TASKS_PATH, alert: t('tasks.not_fetched') }
    const to = hasPermission(viewer, 'manage_reports') ? statusPath(found.id) : TASKS_PATH
    return { to, notice: t('tasks.fetched') }
  },
})

const clear = staffForm({
  path: `${TASKS_PATH}/clear_caches`,
  summary: 'Clear the caches of running servers, or only the feeds',
  permissions: [TOOLS.clear_caches],
  params: { feeds_only: param.boolean({ default: false }) },
  async act({ feeds_only: feedsOnly }, { context, t }) {
    await clearCaches(context.database, feedsOnly ? 'feeds' : 'all')
    return { to: TASKS_PATH, notice: t('tasks.cleared') }
  },
})

const testMail = staffForm({
  path: `${TASKS_PATH}/mail_test`,
  summary: 'Send a test e-mail, and show the response of the mail server',
  permissions: [TOOLS.mail_test],
  params: { email: param.string({ default: '', max: 320, trim: true }) },
  async act({ email }, { context, t }) {
    if (!isEmail(email)) return { to: TASKS_PATH, alert: t('tasks.no_email') }
    const recipient = { email, username: email, locale: null }
    try {
      const delivery = await context.mail.send(composeEmail(context, 'mail_test', recipient, context.config.publicUrl))
      const response = 'file' in delivery ? delivery.file : delivery.response
      return { to: TASKS_PATH, notice: t('tasks.mail_sent', { email, response }) }
    } catch (error) {
      return { to: TASKS_PATH, alert: t('tasks.mail_not_sent', { reason: explainMailError(error) }) }
    }
  },
})

export const toolOperations = [fetchStatus, clear, testMail]
