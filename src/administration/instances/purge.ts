import { startTask } from '../../moderation/tasks/index.ts'
import { normaliseDomain } from '../../accounts/domain_blocks/index.ts'
import { param, redirect } from '../../platform/http/index.ts'
import { checkbox, form, hidden, html, linkButton, submit } from '../../platform/ui/index.ts'
import { staffForm, staffView, type Staff, type StaffPage } from '../index.ts'
import { lossFacts } from '../page_parts/index.ts'
import { TASKS_PATH } from '../tasks/index.ts'
import { INSTANCES_PATH } from './path.ts'

const permissions = ['manage_federation'] as const

async function purgePage(staff: Staff, text: string, alert?: string): Promise<StaffPage> {
  const { t, webSession } = staff
  const domain = normaliseDomain(text)
  return {
    title: t('instances.purge_title', { domain }),
    navigationPath: INSTANCES_PATH,
    breadcrumbs: [[INSTANCES_PATH, t('instances.title')]],
    alert,
    body: html`<div class="card section">
      ${await lossFacts(staff, domain, false)}
      <p>${t('instances.purge_hint')}</p>
      ${form({ action: `${INSTANCES_PATH}/purge`, csrfToken: webSession.csrfToken() }, [
        hidden('domain', domain),
        checkbox({ label: t('instances.purge_below'), name: 'below', required: false }),
        checkbox({ label: t('accounts.sure'), name: 'sure' }),
        html`<div class="buttons">
          ${submit(t('instances.purge'), 'danger')} ${linkButton(INSTANCES_PATH, t('staff.cancel'))}
        </div>`,
      ])}
    </div>`,
  }
}

const confirmPurge = staffView({
  path: `${INSTANCES_PATH}/purge`,
  summary: 'Show what is lost when all data of another server is deleted here',
  permissions,
  params: { domain: param.string({ default: '', max: 255 }) },
  show: ({ domain }, staff) => (domain === '' ? redirect(INSTANCES_PATH) : purgePage(staff, domain)),
})

const purgeInstance = staffForm({
  path: `${INSTANCES_PATH}/purge`,
  summary: 'Delete all accounts and emojis of another server here',
  permissions,
  params: {
    domain: param.string({ default: '', max: 255 }),
    below: param.boolean({ default: false }),
    sure: param.boolean({ default: false }),
  },
  async act({ domain: text, below, sure }, staff) {
    const { context, viewer, t } = staff
    if (!sure) return purgePage(staff, text, t('accounts.not_sure'))
    const domain = normaliseDomain(text)
    await startTask(context.database, viewer.id, { kind: 'purge_domain', domain, widened: below })
    return { to: TASKS_PATH, notice: t('tasks.started') }
  },
})

export const purgeOperations = [confirmPurge, purgeInstance]
