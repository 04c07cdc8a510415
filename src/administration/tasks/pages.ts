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
import { TASKS_PATH } from './path.ts'

const MAX_TASKS = 50
const MAX_DAYS = 36_500
const WHOLE_NUMBER = /^\d{1,5}$/
const DEFAULT_DAYS = { media: 7, statuses: 90 } as const
type RemovalKind = keyof typeof DEFAULT_DAYS

async function tasksPage(staff: Staff, alert?: string): Promise<StaffPage> {
  const { context, t, viewer } = staff
  const tasks = await listTasks(context.database, MAX_TASKS)
  return {
    title: t('tasks.title'),
    navigationPath: TASKS_PATH,
    alert,
    body: [
      html`<p>${t('tasks.intro')}</p>`,
      section('tasks', t('tasks.latest'), [
        entryList(
          tasks.map(task => taskEntry(task, staff)),
          t('tasks.none'),
        ),
        tasks.some(({ finished_at: end }) => end === null) &&
          html`<p><a href="${TASKS_PATH}">${t('tasks.reload')}</a></p>`,
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

const removalForm = ({ t, webSession }: Staff, kind: RemovalKind): Html =>
  form({ action: `${TASKS_PATH}/${kind}`, csrfToken: webSession.csrfToken() }, [
    html`<p>${t(`tasks.${kind}_hint`)}</p>`,
    field({
      id: `${kind}_days`,
      label: t('tasks.days'),
      name: 'days',
      type: 'number',
      min: 0,
      max: MAX_DAYS,
      value: String(DEFAULT_DAYS[kind]),
      required: true,
    }),
    kind === 'statuses'
      ? checkbox({ label: t('tasks.clean_followed'), name: 'clean_followed', required: false })
      : checkbox({ label: t('tasks.previews'), name: 'previews', required: false }),
    checkbox({ id: `${kind}_sure`, label: t('accounts.sure'), name: 'sure' }),
    submit(t(`tasks.${kind}`), 'danger'),
  ])

const EMOJI_PURGES = ['purge_emojis', 'purge_remote_emojis', 'purge_suspended_emojis'] as const

/** What a task does, and its target. */
function describeTask(task: StoredTask, { t }: Staff): Content {
  const { kind, target_account_id: id, target, domain, days, widened } = task
  if (id !== null)
    return html`${t(kind === 'follow_all' ? 'tasks.follow_all' : 'tasks.unfollow_all')}
      <a href="/admin/accounts/${id}"><bdi>@${target}</bdi></a>`
  if (domain !== null)
    return html`${t('tasks.purge_domain')} <bdi>${domain}</bdi> ${widened && badge(t('tasks.with_subdomains'))}`
  const emojis = EMOJI_PURGES.find(candidate => candidate === kind)
  if (emojis !== undefined) return t(`tasks.${emojis}`)
  return [
    t(kind === 'remove_media' ? 'tasks.removed_media' : 'tasks.removed_statuses', { count: days ?? 0 }),
    widened && html` ${badge(t(kind === 'remove_media' ? 'tasks.with_previews' : 'tasks.with_followed'))}`,
  ]
}

function taskProgress(task: StoredTask, { t, translator }: Staff): Content {
  const { finished_at: end, failed, done_count: done, total_count: total } = task
  if (end !== null && failed) return [badge(t('tasks.failed'), 'bad'), ' ', t('tasks.done', { count: done })]
  if (end !== null)
    return [badge(t('tasks.finished'), 'good'), ' ', t('tasks.done', { count: done }), ' ', time(end, translator)]
  if (total === null) return badge(t('tasks.waiting'))
  const shownCount = Math.min(done, total)
  return html`<progress
      max="${Math.max(total, 1)}"
      value="${shownCount}"
      aria-label="${t('tasks.progress_label')}"
    ></progress>
    ${t('tasks.progress', { done: shownCount, total })}`
}

const taskEntry = (task: StoredTask, staff: Staff): Html =>
  html`<li class="entry">
    <p><strong>${describeTask(task, staff)}</strong></p>
    <p>${taskProgress(task, staff)}</p>
    <p class="quiet">
      ${task.moderator !== null && html`@${task.moderator} · `}${time(task.created_at, staff.translator)}
    </p>
  </li>`

const showTasks = staffView({
  path: TASKS_PATH,
  summary: 'Show background tasks with their progress, and the forms that remove old content of other servers',
  permissions: ['manage_settings', 'manage_federation', 'manage_custom_emojis'],
  params: {},
  show: (_, staff) => tasksPage(staff),
})

const removalOperation = (kind: RemovalKind, summary: string) =>
  staffForm({
    path: `${TASKS_PATH}/${kind}`,
    summary,
    permissions: ['manage_settings'],
    params: {
      // Not an integer parameter, which would parse a word as 0 and remove everything.
      days: param.string({ default: '', trim: true }),
      clean_followed: param.boolean({ default: false }),
      previews: param.boolean({ default: false }),
      sure: param.boolean({ default: false }),
    },
    async act({ days: text, clean_followed, previews, sure }, { context, viewer, t }) {
      const days = WHOLE_NUMBER.test(text) ? Number(text) : MAX_DAYS + 1
      if (days > MAX_DAYS) return { to: TASKS_PATH, alert: t('tasks.no_days', { max: MAX_DAYS }) }
      if (!sure) return { to: TASKS_PATH, alert: t('accounts.not_sure') }
      const task =
        kind === 'media'
          ? ({ kind: 'remove_media', days, widened: previews } as const)
          : ({ kind: 'remove_statuses', days, widened: clean_followed } as const)
      await startTask(context.database, viewer.id, task)
      return { to: TASKS_PATH, notice: t('tasks.started') }
    },
  })

export const pageOperations = [
  showTasks,
  removalOperation('media', 'Remove copies of attachments of other servers'),
  removalOperation('statuses', 'Remove statuses of other servers without local interaction'),
]
