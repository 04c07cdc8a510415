import { listTasks, type StoredTask } from '../../moderation/tasks/index.ts'
import { badge, entryList, html, section, time, type Content, type Html } from '../../platform/ui/index.ts'
import type { TextKey } from '../../platform/i18n/index.ts'
import { staffView, type Staff, type StaffPage } from '../index.ts'
import { TASKS_PATH } from './path.ts'
import { removalOperations, removalSection } from './removals.ts'
import { toolOperations, toolSection } from './tools.ts'
import { upkeepOperations, upkeepSection } from './upkeep.ts'

const MAX_TASKS = 50

async function tasksPage(staff: Staff, alert?: string): Promise<StaffPage> {
  const { context, t } = staff
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
      removalSection(staff),
      upkeepSection(staff),
      toolSection(staff),
    ],
  }
}

/** What a task does. */
const KIND_LABELS: Readonly<Record<string, TextKey>> = {
  follow_all: 'tasks.follow_all',
  unfollow_all: 'tasks.unfollow_all',
  purge_domain: 'tasks.purge_domain',
  remove_media: 'tasks.removed_media',
  remove_statuses: 'tasks.removed_statuses',
  remove_previews: 'tasks.removed_previews',
  remove_pictures: 'tasks.removed_pictures',
  purge_emojis: 'tasks.purge_emojis',
  purge_remote_emojis: 'tasks.purge_remote_emojis',
  purge_suspended_emojis: 'tasks.purge_suspended_emojis',
  prune_accounts: 'tasks.prune_accounts',
  cull_accounts: 'tasks.cull_accounts',
  refresh_accounts: 'tasks.refresh_accounts',
  rotate_keys: 'tasks.rotate_keys',
  refresh_media: 'tasks.refresh_media',
  remove_orphans: 'tasks.orphans',
  recount_accounts: 'tasks.recount_accounts',
  recount_statuses: 'tasks.recount_statuses',
}

/** What a task includes more than usual. */
const WIDENED_LABELS: Readonly<Record<string, TextKey>> = {
  purge_domain: 'tasks.with_subdomains',
  remove_media: 'tasks.with_previews',
  remove_pictures: 'tasks.with_followed',
  remove_statuses: 'tasks.with_followed',
  refresh_media: 'tasks.with_copies',
}

/** What a task leaves out. */
const NARROWED_LABELS: Readonly<Record<string, TextKey>> = {
  remove_media: 'tasks.without_interacted',
  remove_previews: 'tasks.of_links',
  remove_pictures: 'tasks.of_headers',
}

/** What a task does, its target, and its options. */
function describeTask(task: StoredTask, { t }: Staff): Content {
  const { kind, target_account_id: id, target, domain, days, widened, narrowed } = task
  const label = KIND_LABELS[kind]
  const options = [widened && WIDENED_LABELS[kind], narrowed && NARROWED_LABELS[kind]]
  return [
    label === undefined ? kind : t(label, { count: days ?? 0 }),
    id !== null && html` <a href="/admin/accounts/${id}"><bdi>@${target}</bdi></a>`,
    domain !== null && html` <bdi>${domain}</bdi>`,
    options.map(option => option && html` ${badge(t(option))}`),
  ]
}

function taskProgress(task: StoredTask, { t, translator }: Staff): Content {
  const { finished_at: end, failed, done_count: done, total_count: total } = task
  if (end !== null && failed) return [badge(t('tasks.failed'), 'bad'), ' ', t('tasks.done', { count: done })]
  if (end !== null)
    return [badge(t('tasks.finished'), 'good'), ' ', t('tasks.done', { count: done }), ' ', time(end, translator)]
  if (total === null && done > 0) return [badge(t('tasks.running')), ' ', t('tasks.done', { count: done })]
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
  summary: 'Show background tasks with their progress, and the forms that start them',
  permissions: ['manage_settings', 'manage_federation', 'manage_custom_emojis'],
  params: {},
  show: (_, staff) => tasksPage(staff),
})

export const pageOperations = [showTasks, ...removalOperations, ...upkeepOperations, ...toolOperations]
