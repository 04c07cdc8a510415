import { timeZones } from '../../core/zoned_time.ts'
import { listAnnouncements, type StoredAnnouncement } from '../../instance/announcements/index.ts'
import type { Id } from '../../core/id.ts'
import {
  actionButton,
  asset,
  badge,
  facts,
  field,
  form,
  hidden,
  Html,
  html,
  linkButton,
  pageLinks,
  section,
  select,
  submitAs,
  textArea,
  time,
  toggle,
} from '../../platform/ui/index.ts'
import { mailingLink } from '../mailings/index.ts'
import type { Staff, StaffPage } from '../index.ts'
import { toDraft, emptyDraft, MAX_TEXT_CHARACTERS, type Draft, type DraftErrors } from './draft.ts'

export const PATH = '/admin/announcements'
const SCRIPT_PATH = '/assets/announcement_times.js'

export const script = asset(
  SCRIPT_PATH,
  new URL('times.js', import.meta.url),
  'text/javascript',
  "Script of the announcements' form: the browser's time zone",
)

const PAGE_SIZE = 20

/** Announcements of every state, newest first. */
export async function listPage(staff: Staff, before: Id | undefined): Promise<StaffPage> {
  const { context, t, translator } = staff
  const rows = await listAnnouncements(context.database, { before: before ?? null, limit: PAGE_SIZE + 1 })
  const page = rows.slice(0, PAGE_SIZE)
  const older = rows.length > PAGE_SIZE ? `${PATH}?max_id=${page.at(-1)?.id}` : undefined
  return {
    title: t('announcements.title'),
    navigationPath: PATH,
    actions: linkButton(`${PATH}/new`, t('announcements.new'), 'primary'),
    body: [
      html`<p>${t('announcements.intro')}</p>`,
      page.length === 0 && html`<p class="empty">${t('announcements.empty')}</p>`,
      page.map(stored => announcementCard(staff, stored)),
      pageLinks(translator, { newer: before === undefined ? undefined : PATH, older }),
    ],
  }
}

function announcementCard(staff: Staff, stored: StoredAnnouncement): Html {
  const { t, translator, webSession } = staff
  const { id, published, scheduled_at: scheduledAt, starts_at: startsAt, ends_at: endsAt } = stored
  const action = `${PATH}/${id}`
  const state = published ? 'published' : scheduledAt ? 'scheduled' : 'draft'
  const publication = actionButton(
    {
      action: `${action}/publication`,
      csrfToken: webSession.csrfToken(),
      label: t(published ? 'announcements.unpublish' : 'announcements.publish'),
    },
    hidden('published', published ? '0' : '1'),
  )
  return html`<article class="card section">
    <p>${badge(t(`announcements.state.${state}`), published ? 'good' : 'neutral')}</p>
    <div class="rich">${new Html(stored.content)}</div>
    ${facts([
      [t('announcements.period'), startsAt && endsAt && [time(startsAt, translator), ' – ', time(endsAt, translator)]],
      [t('announcements.scheduled_at'), !published && scheduledAt && time(scheduledAt, translator)],
      [t('announcements.published_at'), published && stored.published_at && time(stored.published_at, translator)],
    ])}
    <div class="buttons">
      ${linkButton(action, t('announcements.change'))} ${publication} ${published && mailingLink(staff, PATH, id)}
      ${actionButton({
        action,
        method: 'delete',
        csrfToken: webSession.csrfToken(),
        label: t('announcements.delete'),
        kind: 'danger',
      })}
    </div>
  </article>`
}

/** The submitted values of a form, with errors or a preview. */
export interface FormState {
  readonly draft?: Draft
  readonly errors?: DraftErrors
  /** The HTML of the previewed text. */
  readonly preview?: string
}

/** The form of a new or a stored announcement. */
export function formPage(staff: Staff, stored: StoredAnnouncement | undefined, state: FormState = {}): StaffPage {
  const { t, webSession } = staff
  const draft = state.draft ?? (stored ? toDraft(stored, staff) : emptyDraft(staff))
  const action = stored ? `${PATH}/${stored.id}` : PATH
  const buttons = [
    submitAs('next', 'preview', t('announcements.preview')),
    !stored?.published && submitAs('next', 'publish', t('announcements.publish')),
    submitAs('next', 'save', t(stored?.published ? 'announcements.save' : 'announcements.save_draft'), 'primary'),
  ]
  return {
    title: t(stored ? 'announcements.edit' : 'announcements.new'),
    navigationPath: PATH,
    breadcrumbs: [[PATH, t('announcements.title')]],
    scripts: [SCRIPT_PATH],
    body: [
      state.preview !== undefined &&
        section('preview', t('announcements.preview'), [
          html`<p class="notice">${t('announcements.preview_notice')}</p>`,
          html`<div class="rich">${new Html(state.preview)}</div>`,
        ]),
      html`<div class="card section">
        ${form({ action, csrfToken: webSession.csrfToken(), ...(stored && { method: 'put' }) }, [
          html`<button type="submit" hidden></button>`,
          formFields(staff, state, draft, stored?.published === true),
          html`<div class="buttons">${buttons}</div>`,
        ])}
      </div>`,
    ],
  }
}

function formFields(
  { t, translator }: Staff,
  { errors = {}, draft: sentDraft }: FormState,
  draft: Draft,
  published: boolean,
): (Html | false)[] {
  const timeField = (name: 'starts_at' | 'ends_at' | 'scheduled_at', hint?: string): Html =>
    field({
      label: t(`announcements.${name}`),
      name: `announcement[${name}]`,
      type: 'datetime-local',
      value: draft[name],
      hint,
      errors: errors[name],
    })
  return [
    textArea({
      label: t('announcements.text'),
      name: 'announcement[text]',
      value: draft.text,
      maxLength: MAX_TEXT_CHARACTERS,
      required: true,
      hint: t('announcements.text_hint', { count: MAX_TEXT_CHARACTERS }),
      errors: errors.text,
    }),
    select({
      label: t('announcements.time_zone'),
      name: 'announcement[time_zone]',
      choices: [...new Set([draft.time_zone, ...timeZones()])].map(zone => [zone, zone] as const),
      value: draft.time_zone,
      hint: t('announcements.time_zone_hint'),
      errors: errors.time_zone,
      // The script sets the browser's time zone only where the user has not chosen one.
      ...(sentDraft === undefined && translator.timeZone === undefined && { data: { zone: 'browser' } }),
    }),
    timeField('starts_at'),
    timeField('ends_at', t('announcements.ends_at_hint')),
    toggle({ label: t('announcements.all_day'), name: 'announcement[all_day]', checked: draft.all_day }),
    !published && timeField('scheduled_at', t('announcements.scheduled_at_hint')),
  ]
}
