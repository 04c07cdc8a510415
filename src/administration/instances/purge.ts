import { startTask } from '../../moderation/tasks/index.ts'
import { normaliseDomain } from '../../accounts/domain_blocks/index.ts'
import { param, redirect } from '../../platform/http/index.ts'
import { checkbox, form, hidden, html, linkButton, submit } from '../../platform/ui/index.ts'
import { staffForm, staffView, type Staff, type StaffPage } from '../index.ts'
import { lossFacts } from '../page_parts/index.ts'
import { TASKS } from '../tasks/index.ts'
import { PATH } from './path.ts'

const permissions = ['manage_federation'] as const

async function purgePage(staff: Staff, given: string, alert?: string): Promise<StaffPage> {
  const { t, webSession } = staff
  const domain = normaliseDomain(given)
  return {
    title: t('instances.purge_title', { domain }),
    place: PATH,
    trail: [[PATH, t('instances.title')]],
    alert,
    body: html`<div class="card section">
      ${await lossFacts(staff, domain, false)}
      <p>${t('instances.purge_hint')}</p>
      ${form({ action: `${PATH}/purge`, csrfToken: webSession.csrfToken() }, [
        hidden('domain', domain),
        checkbox({ label: t('instances.purge_below'), name: 'below', required: false }),
        checkbox({ label: t('accounts.sure'), name: 'sure' }),
        html`<div class="buttons">
          ${submit(t('instances.purge'), 'danger')} ${linkButton(PATH, t('staff.cancel'))}
        </div>`,
      ])}
    </div>`,
  }
}

const confirmPurge = staffView({
  path: `${PATH}/purge`,
  summary: 'What is lost when all data of another server are deleted here',
  permissions,
  params: { domain: param.string({ default: '', max: 255 }) },
  show: ({ domain }, staff) => (domain === '' ? redirect(PATH) : purgePage(staff, domain)),
})

const purge = staffForm({
  path: `${PATH}/purge`,
  summary: 'Delete all accounts and emojis of another server here',
  permissions,
  params: {
    domain: param.string({ default: '', max: 255 }),
    below: param.boolean({ default: false }),
    sure: param.boolean({ default: false }),
  },
  async act({ domain: given, below, sure }, staff) {
    const { context, viewer, t } = staff
    if (!sure) return purgePage(staff, given, t('accounts.not_sure'))
    const domain = normaliseDomain(given)
    await startTask(context.database, viewer.id, { kind: 'purge_domain', domain, widened: below })
    return { to: TASKS, notice: t('tasks.started') }
  },
})

export const purgeOperations = [confirmPurge, purge]
