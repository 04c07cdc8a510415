import { ApiError } from '../../core/errors.ts'
import type { Id } from '../../core/id.ts'
import {
  createAnnouncement,
  deleteAnnouncement,
  editAnnouncement,
  findAnnouncement,
  formatAnnouncement,
  publishAnnouncement,
  type StoredAnnouncement,
} from '../../instance/announcements/index.ts'
import { param, type AnyOperation } from '../../platform/http/index.ts'
import { mailingOperations } from '../mailings/index.ts'
import { staffForm, staffView, type Staff, type StaffPage } from '../index.ts'
import { parseDraft, type Draft } from './draft.ts'
import { formPage, listPage, PATH, script } from './pages.ts'

const permissions = ['manage_announcements'] as const
const text = param.string({ default: '' })
const idParam = param.id()
const FORM_PARAMETERS = {
  announcement: param.object(
    {
      text,
      starts_at: text,
      ends_at: text,
      all_day: param.boolean({ default: false }),
      scheduled_at: text,
      time_zone: param.string({ default: 'UTC' }),
    },
    { missing: 400 },
  ),
  next: param.enumeration(['save', 'publish', 'preview'], { default: 'save', fallback: 'save' }),
}

/** @throws ApiError notFound */
async function requireAnnouncement({ context }: Staff, id: Id): Promise<StoredAnnouncement> {
  const announcement = await findAnnouncement(context.database, id)
  if (!announcement) throw new ApiError('notFound')
  return announcement
}

const preview = async (staff: Staff, draft: Draft, stored: StoredAnnouncement | undefined): Promise<StaffPage> => ({
  ...formPage(staff, stored, { draft, preview: await formatAnnouncement(staff.context, draft.text) }),
  status: 200,
})

const showAnnouncements = staffView({
  path: PATH,
  summary: 'List the announcements in every state, newest first',
  permissions,
  params: { max_id: param.cursor() },
  show: ({ max_id: before }, staff) => listPage(staff, before),
})

const newAnnouncement = staffView({
  path: `${PATH}/new`,
  summary: 'Show the form for a new announcement',
  permissions,
  params: {},
  show: (_, staff) => formPage(staff, undefined),
})

const createDraft = staffForm({
  path: PATH,
  summary: 'Create an announcement and publish it, schedule it, or save it as a draft',
  permissions,
  params: FORM_PARAMETERS,
  async act({ announcement: draft, next }, staff) {
    const parsed = parseDraft(draft, staff)
    if ('errors' in parsed) return formPage(staff, undefined, { draft, errors: parsed.errors })
    if (next === 'preview') return preview(staff, draft, undefined)
    const { scheduledAt, ...times } = parsed.times
    const publication = next === 'publish' ? 'now' : (scheduledAt ?? 'later')
    await createAnnouncement(staff.context, staff.viewer.id, { text: draft.text, ...times, publication })
    return { to: PATH, notice: staff.t(next === 'publish' ? 'announcements.published' : 'announcements.saved') }
  },
})

const showAnnouncement = staffView({
  path: `${PATH}/:id`,
  summary: 'Show the form for an announcement',
  permissions,
  params: { id: idParam },
  show: async (parameters, staff) => formPage(staff, await requireAnnouncement(staff, parameters.id)),
})

const changeAnnouncement = staffForm({
  method: 'PUT',
  path: `${PATH}/:id`,
  summary: 'Change an announcement',
  permissions,
  params: { id: idParam, ...FORM_PARAMETERS },
  async act({ id, announcement: draft, next }, staff) {
    const { context, viewer, t } = staff
    const stored = await requireAnnouncement(staff, id)
    const parsed = parseDraft(draft, staff)
    if ('errors' in parsed) return formPage(staff, stored, { draft, errors: parsed.errors })
    if (next === 'preview') return preview(staff, draft, stored)
    const edited = { text: draft.text, times: parsed.times }
    if (!(await editAnnouncement(context, viewer.id, id, edited))) throw new ApiError('notFound')
    if (next === 'publish') await publishAnnouncement(context, viewer.id, id, true)
    return { to: PATH, notice: t(next === 'publish' ? 'announcements.published' : 'announcements.saved') }
  },
})

const setPublication = staffForm({
  path: `${PATH}/:id/publication`,
  summary: 'Publish or unpublish an announcement',
  permissions,
  params: { id: idParam, published: param.boolean({ missing: 400 }) },
  async act({ id, published }, { context, viewer, t }) {
    if (!(await publishAnnouncement(context, viewer.id, id, published))) throw new ApiError('notFound')
    return { to: PATH, notice: t(published ? 'announcements.published' : 'announcements.unpublished') }
  },
})

const removeAnnouncement = staffForm({
  method: 'DELETE',
  path: `${PATH}/:id`,
  summary: 'Delete an announcement',
  permissions,
  params: { id: idParam },
  async act({ id }, { context, viewer, t }) {
    if (!(await deleteAnnouncement(context, viewer.id, id))) throw new ApiError('notFound')
    return { to: PATH, notice: t('announcements.deleted') }
  },
})

export const operations: readonly AnyOperation[] = [
  script,
  showAnnouncements,
  newAnnouncement,
  createDraft,
  showAnnouncement,
  changeAnnouncement,
  setPublication,
  removeAnnouncement,
  ...mailingOperations({
    kind: 'announcement',
    navigationPath: PATH,
    title: 'announcements.title',
  }),
]
