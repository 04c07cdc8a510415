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
import { readDraft, type Draft } from './draft.ts'
import { formPage, listPage, PATH, script } from './pages.ts'

const permissions = ['manage_announcements'] as const
const text = param.string({ default: '' })
const id = param.id()
const FORM = {
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
async function requireAnnouncement({ context }: Staff, wanted: Id): Promise<StoredAnnouncement> {
  const found = await findAnnouncement(context.database, wanted)
  if (!found) throw new ApiError('notFound')
  return found
}

/** A text area's line breaks are CR LF in a form. */
const normalise = (draft: Draft): Draft => ({ ...draft, text: draft.text.replaceAll('\r\n', '\n') })

const preview = async (staff: Staff, draft: Draft, stored: StoredAnnouncement | undefined): Promise<StaffPage> => ({
  ...formPage(staff, stored, { draft, preview: await formatAnnouncement(staff.context, draft.text) }),
  status: 200,
})

const showAnnouncements = staffView({
  path: PATH,
  summary: 'Announcements of every state, newest first',
  permissions,
  params: { max_id: param.cursor() },
  show: ({ max_id: before }, staff) => listPage(staff, before),
})

const newAnnouncement = staffView({
  path: `${PATH}/new`,
  summary: 'Form for a new announcement',
  permissions,
  params: {},
  show: (_, staff) => formPage(staff, undefined),
})

const create = staffForm({
  path: PATH,
  summary: 'Create an announcement: publish it, schedule it, or keep it as a draft',
  permissions,
  params: FORM,
  async act({ announcement, next }, staff) {
    const draft = normalise(announcement)
    const read = readDraft(draft, staff)
    if ('errors' in read) return formPage(staff, undefined, { draft, errors: read.errors })
    if (next === 'preview') return preview(staff, draft, undefined)
    const { scheduledAt, ...times } = read.times
    const publication = next === 'publish' ? 'now' : (scheduledAt ?? 'later')
    await createAnnouncement(staff.context, staff.viewer.id, { text: draft.text, ...times, publication })
    return { to: PATH, notice: staff.t(next === 'publish' ? 'announcements.published' : 'announcements.saved') }
  },
})

const showAnnouncement = staffView({
  path: `${PATH}/:id`,
  summary: 'Form for an announcement',
  permissions,
  params: { id },
  show: async (parameters, staff) => formPage(staff, await requireAnnouncement(staff, parameters.id)),
})

const change = staffForm({
  method: 'PUT',
  path: `${PATH}/:id`,
  summary: 'Change an announcement',
  permissions,
  params: { id, ...FORM },
  async act({ id: changed, announcement, next }, staff) {
    const { context, viewer, t } = staff
    const stored = await requireAnnouncement(staff, changed)
    const draft = normalise(announcement)
    const read = readDraft(draft, staff)
    if ('errors' in read) return formPage(staff, stored, { draft, errors: read.errors })
    if (next === 'preview') return preview(staff, draft, stored)
    const edited = { text: draft.text, times: read.times }
    if (!(await editAnnouncement(context, viewer.id, changed, edited))) throw new ApiError('notFound')
    if (next === 'publish') await publishAnnouncement(context, viewer.id, changed, true)
    return { to: PATH, notice: t(next === 'publish' ? 'announcements.published' : 'announcements.saved') }
  },
})

const setPublication = staffForm({
  path: `${PATH}/:id/publication`,
  summary: 'Publish or unpublish an announcement',
  permissions,
  params: { id, published: param.boolean({ missing: 400 }) },
  async act({ id: changed, published }, { context, viewer, t }) {
    if (!(await publishAnnouncement(context, viewer.id, changed, published))) throw new ApiError('notFound')
    return { to: PATH, notice: t(published ? 'announcements.published' : 'announcements.unpublished') }
  },
})

const remove = staffForm({
  method: 'DELETE',
  path: `${PATH}/:id`,
  summary: 'Delete an announcement',
  permissions,
  params: { id },
  async act({ id: removed }, { context, viewer, t }) {
    if (!(await deleteAnnouncement(context, viewer.id, removed))) throw new ApiError('notFound')
    return { to: PATH, notice: t('announcements.deleted') }
  },
})

export const operations: readonly AnyOperation[] = [
  script,
  showAnnouncements,
  newAnnouncement,
  create,
  showAnnouncement,
  change,
  setPublication,
  remove,
  ...mailingOperations({
    kind: 'announcement',
    place: PATH,
    title: 'announcements.title',
    permission: 'manage_announcements',
  }),
]
