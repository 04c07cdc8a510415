import { hasPermission } from '../../core/permissions.ts'
import { startTask, type ModerationTask } from '../../moderation/tasks/index.ts'
import { param } from '../../platform/http/index.ts'
import { checkbox, field, html, section, type Content, type Html } from '../../platform/ui/index.ts'
import { staffForm, type Staff } from '../index.ts'
import { startConfirmed, sure, taskForm } from './form.ts'
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

const removalForm = (staff: Staff, kind: RemovalKind): Html =>
  taskForm(
    staff,
    kind,
    [
      field({
        id: `${kind}_days`,
        label: staff.t('tasks.days'),
        name: 'days',
        type: 'number',
        min: 0,
        max: MAX_DAYS,
        value: String(REMOVALS[kind].days),
        required: true,
      }),
      REMOVALS[kind].options.map(name =>
        checkbox({
          label: staff.t(name === 'previews' ? 'tasks.also_previews' : `tasks.${name}`),
          name,
          required: false,
        }),
      ),
    ],
    'danger',
  )

/** The forms that remove old content of other servers. */
export const removalSection = (staff: Staff): Content =>
  hasPermission(staff.viewer, 'manage_settings') &&
  section('removals', staff.t('tasks.removals'), [
    html`<p>${staff.t('tasks.removals_hint')}</p>`,
    KINDS.map(kind => removalForm(staff, kind)),
  ])

const option = param.boolean({ default: false })

/** The task of a form. */
function removalOf(kind: RemovalKind, days: number, options: Readonly<Record<Option, boolean>>): ModerationTask {
  const { previews, keep_interacted, include_follows, headers_only, links_only, clean_followed } = options
  switch (kind) {
    case 'media':
      return { kind: 'remove_media', days, widened: previews, narrowed: keep_interacted }
    case 'pictures':
      return { kind: 'remove_pictures', days, widened: include_follows, narrowed: headers_only }
    case 'previews':
      return { kind: 'remove_previews', days, narrowed: links_only }
    case 'statuses':
      return { kind: 'remove_statuses', days, widened: clean_followed }
  }
}

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
      sure,
    },
    act({ days: text, sure: isSure, ...options }, staff) {
      const days = WHOLE_NUMBER.test(text) ? Number(text) : MAX_DAYS + 1
      const fault = days > MAX_DAYS ? staff.t('tasks.no_days', { max: MAX_DAYS }) : undefined
      return startConfirmed(staff, { sure: isSure, fault }, () =>
        startTask(staff.context.database, staff.viewer.id, removalOf(kind, days, options)),
      )
    },
  })

export const removalOperations = KINDS.map(removalOperation)
