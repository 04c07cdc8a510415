import { hasPermission } from '../../core/permissions.ts'
import { listTasks, startTask, type StoredTask } from '../../moderation/tasks/index.ts'
import { param } from '../../platform/http/index.ts'
import {
  badge,
  checkbox,
  disclosure,
  entryList,
  field,
  form,
  html,
  section,
  submit,
  time,
  type Content,
  type Html,
} from '../../platform/ui/index.ts'
import { staffForm, staffView, type Staff, type StaffPage } from '../index.ts'
import { TASKS } from './path.ts'

const SHOWN = 50
const MAX_DAYS = 36_500
const WHOLE = /^\d{1,5}$/
const DEFAULT_DAYS = { media: 7, statuses: 90 } as const
type What = keyof typeof DEFAULT_DAYS

async function tasksPage(staff: Staff, alert?: string): Promise<StaffPage> {
  const { context, t, viewer } = staff
  const tasks = await listTasks(context.database, SHOWN)
  return {
    title: t('tasks.title'),
    place: TASKS,
    alert,
    body: [
      html`<p>${t('tasks.intro')}</p>`,
      section('tasks', t('tasks.latest'), [
        entryList(
          tasks.map(task => entry(task, staff)),
          t('tasks.none'),
        ),
        tasks.some(({ finished_at: end }) => end === null) && html`<p><a href="${TASKS}">${t('tasks.reload')}</a></p>`,
      ]),
      hasPermission(viewer, 'manage_settings') &&
        section('removals', t('tasks.removals'), [
          html`<p>${t('tasks.removals_hint')}</p>`,
          disclosure(t('tasks.media'), removalForm(staff, 'media')),
          disclosure(t('tasks.statuses'), removalForm(staff, 'statuses')),
        ]),
    ],
  }
}

const removalForm = ({ t, webSession }: Staff, what: What): Html =>
  form({ action: `${TASKS}/${what}`, csrfToken: webSession.csrfToken() }, [
    html`<p>${t(`tasks.${what}_hint`)}</p>`,
    field({
      id: `${what}_days`,
      label: t('tasks.days'),
      name: 'days',
      type: 'number',
      min: 0,
      max: MAX_DAYS,
      value: String(DEFAULT_DAYS[what]),
      required: true,
    }),
    what === 'statuses'
      ? checkbox({ label: t('tasks.clean_followed'), name: 'clean_followed', required: false })
      : checkbox({ label: t('tasks.previews'), name: 'previews', required: false }),
    checkbox({ id: `${what}_sure`, label: t('accounts.sure'), name: 'sure' }),
    submit(t(`tasks.${what}`), 'danger'),
  ])

const EMOJI_PURGES = ['purge_emojis', 'purge_remote_emojis', 'purge_suspended_emojis'] as const

/** What it does, and to whom or to what. */
function describe(task: StoredTask, { t }: Staff): Content {
  const { kind, target_account_id: id, target, domain, days, widened } = task
  if (id !== null)
    return html`${t(kind === 'follow_all' ? 'tasks.follow_all' : 'tasks.unfollow_all')}
      <a href="/admin/accounts/${id}"><bdi>@${target}</bdi></a>`
  if (domain !== null)
    return html`${t('tasks.purge_domain')} <bdi>${domain}</bdi> ${widened && badge(t('tasks.with_subdomains'))}`
  const emojis = EMOJI_PURGES.find(known => known === kind)
  if (emojis !== undefined) return t(`tasks.${emojis}`)
  return [
    t(kind === 'remove_media' ? 'tasks.removed_media' : 'tasks.removed_statuses', { count: days ?? 0 }),
    widened && html` ${badge(t(kind === 'remove_media' ? 'tasks.with_previews' : 'tasks.with_followed'))}`,
  ]
}

function progressOf(task: StoredTask, { t, translator }: Staff): Content {
  const { finished_at: end, failed, done_count: done, total_count: total } = task
  if (end !== null && failed) return [badge(t('tasks.failed'), 'bad'), ' ', t('tasks.done', { count: done })]
  if (end !== null)
    return [badge(t('tasks.finished'), 'good'), ' ', t('tasks.done', { count: done }), ' ', time(end, translator)]
  if (total === null) return badge(t('tasks.waiting'))
  const shown = Math.min(done, total)
  return html`<progress
      max="${Math.max(total, 1)}"
      value="${shown}"
      aria-label="${t('tasks.progress_label')}"
    ></progress>
    ${t('tasks.progress', { done: shown, total })}`
}

const entry = (task: StoredTask, staff: Staff): Html =>
  html`<li class="entry">
    <p><strong>${describe(task, staff)}</strong></p>
    <p>${progressOf(task, staff)}</p>
    <p class="quiet">
      ${task.moderator !== null && html`@${task.moderator} · `}${time(task.created_at, staff.translator)}
    </p>
  </li>`

const showTasks = staffView({
  path: TASKS,
  summary: 'Long work of the staff with its progress, and forms that remove old content of other servers',
  permissions: ['manage_settings', 'manage_federation', 'manage_custom_emojis'],
  params: {},
  show: (_, staff) => tasksPage(staff),
})

const removal = (what: What, summary: string) =>
  staffForm({
    path: `${TASKS}/${what}`,
    summary,
    permissions: ['manage_settings'],
    params: {
      // Not an integer parameter: that reads a word as 0, which would remove everything.
      days: param.string({ default: '', trim: true }),
      clean_followed: param.boolean({ default: false }),
      previews: param.boolean({ default: false }),
      sure: param.boolean({ default: false }),
    },
    async act({ days: given, clean_followed, previews, sure }, { context, viewer, t }) {
      const days = WHOLE.test(given) ? Number(given) : MAX_DAYS + 1
      if (days > MAX_DAYS) return { to: TASKS, alert: t('tasks.no_days', { max: MAX_DAYS }) }
      if (!sure) return { to: TASKS, alert: t('accounts.not_sure') }
      const task =
        what === 'media'
          ? ({ kind: 'remove_media', days, widened: previews } as const)
          : ({ kind: 'remove_statuses', days, widened: clean_followed } as const)
      await startTask(context.database, viewer.id, task)
      return { to: TASKS, notice: t('tasks.started') }
    },
  })

export const pageOperations = [
  showTasks,
  removal('media', 'Remove copies of attachments of other servers'),
  removal('statuses', 'Remove statuses of other servers without local interaction'),
]
