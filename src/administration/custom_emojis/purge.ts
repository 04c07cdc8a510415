import { countPurgedEmojis, PURGED_EMOJIS, startTask, type PurgedEmojis } from '../../moderation/tasks/index.ts'
import { param } from '../../platform/http/index.ts'
import { checkbox, facts, filterLinks, form, hidden, href, html, linkButton, submit } from '../../platform/ui/index.ts'
import { staffForm, staffView, type Staff, type StaffPage } from '../index.ts'
import { TASKS_PATH } from '../tasks/index.ts'
import { PATH } from './pages.ts'

const PURGE_PATH = `${PATH}/purge`
const MAX_LISTED_DOMAINS = 20
const permissions = ['manage_custom_emojis'] as const
const params = { which: param.string({ default: 'remote' }) } as const

const TASK_KINDS = {
  all: 'purge_emojis',
  remote: 'purge_remote_emojis',
  suspended: 'purge_suspended_emojis',
} as const satisfies Record<PurgedEmojis, string>

const parsePurge = (text: string): PurgedEmojis => PURGED_EMOJIS.find(kind => kind === text) ?? 'remote'

/** The page that shows what a purge deletes, with the form that starts it. */
async function purgePage(staff: Staff, purged: PurgedEmojis, alert?: string): Promise<StaffPage> {
  const { context, t, webSession } = staff
  const rows = await countPurgedEmojis(context.database, purged, MAX_LISTED_DOMAINS)
  const { total, domains } = rows[0] ?? { total: 0, domains: 0 }
  return {
    title: t('emojis.purge.title'),
    navigationPath: PATH,
    breadcrumbs: [[PATH, t('emojis.title')]],
    alert,
    body: [
      filterLinks(
        t('emojis.purge.which'),
        PURGED_EMOJIS.map(kind => ({
          target: href(PURGE_PATH, { which: kind }),
          label: t(`emojis.purge.${kind}`),
          current: kind === purged,
        })),
      ),
      total === 0
        ? html`<p class="empty">${t('emojis.purge.none')}</p>`
        : html`<div class="card section">
            <p>${t('emojis.purge.intro', { count: total, domains })}</p>
            ${facts(rows.map(({ domain, amount }) => [domain ?? context.config.localDomain, amount]))}
            ${domains > rows.length && html`<p class="quiet">${t('emojis.purge.more', { count: domains - rows.length })}</p>`}
            <p>${t('emojis.purge.hint')}</p>
            ${form({ action: PURGE_PATH, csrfToken: webSession.csrfToken() }, [
              hidden('which', purged),
              checkbox({ label: t('accounts.sure'), name: 'sure' }),
              html`<div class="buttons">
                ${submit(t('emojis.purge.submit'), 'danger')} ${linkButton(PATH, t('staff.cancel'))}
              </div>`,
            ])}
          </div>`,
    ],
  }
}

const showPurge = staffView({
  path: PURGE_PATH,
  summary: 'Show how many custom emojis a purge deletes, by server',
  permissions,
  params,
  show: ({ which }, staff) => purgePage(staff, parsePurge(which)),
})

const startPurge = staffForm({
  path: PURGE_PATH,
  summary: 'Delete all custom emojis, those of other servers, or those of suspended servers',
  permissions,
  params: { ...params, which: param.string({ default: '' }), sure: param.boolean({ default: false }) },
  async act({ which, sure }, staff) {
    const { context, viewer, t } = staff
    // Unlike a link, a submitted form without a valid choice must not fall back to a default.
    const purged = PURGED_EMOJIS.find(kind => kind === which)
    if (!purged || !sure) return purgePage(staff, parsePurge(which), t('accounts.not_sure'))
    await startTask(context.database, viewer.id, { kind: TASK_KINDS[purged] })
    return { to: TASKS_PATH, notice: t('tasks.started') }
  },
})

export const purgeOperations = [showPurge, startPurge]
