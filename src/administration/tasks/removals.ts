import { hasPermission } from '../../core/permissions.ts'
import { startTask } from '../../moderation/tasks/index.ts'
import { param } from '../../platform/http/index.ts'
import {
  checkbox,
  disclosure,
  field,
  form,
  html,
  section,
  submit,
  type Content,
  type Html,
} from '../../platform/ui/index.ts'
import { staffForm, type Staff } from '../index.ts'
import { TASKS_PATH } from './path.ts'

const MAX_DAYS = 36_500
const WHOLE_NUMBER = /^\d{1,5}$/

type Option = 'previews' | 'keep_interacted' | 'clean_followed' | 'links_only' | 'headers_only' | 'include_follows'

/** The removals of old content of other servers, with what their forms offer. */
const REMOVALS = {
  media: {
    days: 7,
    options: ['previews', 'keep_interacted'],
    summary: 'Remove copies of attachments of other servers',
  },
  pictures: {
    days: 7,
    options: ['headers_only', 'include_follows'],
    summary: 'Remove copies of avatars and headers of other servers',
  },
  previews: {
    days: 180,
    options: ['links_only'],
    summary: 'Remove the pictures of old link previews',
  },
  statuses: {
    days: 90,
    options: ['clean_followed'],
    summary: 'Remove statuses of other servers without local interaction',
  },
} as const satisfies Record<string, { days: number; options: readonly Option[]; summary: string }>
type RemovalKind = keyof typeof REMOVALS
const KINDS = ['media', 'pictures', 'previews', 'statuses'] as const satisfies readonly RemovalKind[]

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
      value: String(REMOVALS[kind].days),
      required: true,
    }),
    REMOVALS[kind].options.map(name =>
      checkbox({ label: t(name === 'previews' ? 'tasks.also_previews' : `tasks.${name}`), name, required: false }),
    ),
    checkbox({ id: `${kind}_sure`, label: t('accounts.sure'), name: 'sure' }),
    submit(t(`tasks.${kind}`), 'danger'),
  ])

/** The forms that remove old content of other servers. */
export const removalSection = (staff: Staff): Content =>
  hasPermission(staff.viewer, 'manage_settings') &&
  section('removals', staff.t('tasks.removals'), [
    html`<p>${staff.t('tasks.removals_hint')}</p>`,
    KINDS.map(kind => disclosure(staff.t(`tasks.${kind}`), removalForm(staff, kind))),
  ])

const option = param.boolean({ default: false })

const removalOperation = (kind: RemovalKind) =>
  staffForm({
    path: `${TASKS_PATH}/${kind}`,
    summary: REMOVALS[kind].summary,
    permissions: ['manage_settings'],
    params: {
      // Not an integer parameter, which would parse a word as 0 and remove everything.
      days: param.string({ default: '', trim: true }),
      previews: option,
      keep_interacted: option,
      clean_followed: option,
      links_only: option,
      headers_only: option,
      include_follows: option,
      sure: option,
    },
    async act({ days: text, sure, ...options }, { context: { database }, viewer: { id }, t }) {
      const days = WHOLE_NUMBER.test(text) ? Number(text) : MAX_DAYS + 1
      if (days > MAX_DAYS) return { to: TASKS_PATH, alert: t('tasks.no_days', { max: MAX_DAYS }) }
      if (!sure) return { to: TASKS_PATH, alert: t('accounts.not_sure') }
      if (kind === 'media') {
        const { previews: widened, keep_interacted: narrowed } = options
        await startTask(database, id, { kind: 'remove_media', days, widened, narrowed })
      } else if (kind === 'pictures') {
        const { include_follows: widened, headers_only: narrowed } = options
        await startTask(database, id, { kind: 'remove_pictures', days, widened, narrowed })
      } else if (kind === 'previews') {
        await startTask(database, id, { kind: 'remove_previews', days, narrowed: options.links_only })
      } else await startTask(database, id, { kind: 'remove_statuses', days, widened: options.clean_followed })
      return { to: TASKS_PATH, notice: t('tasks.started') }
    },
  })

export const removalOperations = KINDS.map(removalOperation)
