import { profileContext } from '../../accounts/index.ts'
import type { Id } from '../../core/id.ts'
import { formatNote } from '../../core/text/index.ts'
import { c, query, type Runner } from '../../platform/database/index.ts'
import { enqueue } from '../../platform/jobs/index.ts'
import type { Services } from '../../platform/services.ts'
import { publishAnnouncements } from './jobs.ts'

const changed = { id: c.id, events: c.events }
const times = {
  starts_at: c.nullable(c.timestamp),
  ends_at: c.nullable(c.timestamp),
  all_day: c.boolean,
}
const add = query(
  'instance/announcements/add',
  {
    moderator: c.nullable(c.id),
    text: c.text,
    content: c.text,
    ...times,
    published: c.boolean,
    scheduled_at: c.nullable(c.timestamp),
  },
  changed,
)
const edit = query(
  'instance/announcements/edit',
  {
    moderator: c.nullable(c.id),
    announcement: c.id,
    text: c.text,
    content: c.text,
    sets_times: c.boolean,
    ...times,
    scheduled_at: c.nullable(c.timestamp),
  },
  changed,
)
const setPublished = query(
  'instance/announcements/set_published',
  { moderator: c.nullable(c.id), announcement: c.id, published: c.boolean },
  changed,
)
const remove = query('instance/announcements/delete', { moderator: c.nullable(c.id), announcement: c.id }, changed)

/** When an announcement is shown, and what it is about. */
export interface AnnouncementTimes {
  /** The announced period; the announcement is unpublished at `endsAt`. Both or neither. */
  readonly startsAt: Date | null
  readonly endsAt: Date | null
  /** Clients show the dates without times. */
  readonly isAllDay: boolean
  /** When it is published; null: by hand. */
  readonly scheduledAt: Date | null
}

/** A new announcement. */
export interface AnnouncementDraft extends Omit<AnnouncementTimes, 'scheduledAt'> {
  readonly text: string
  /** `now`, `later` by hand, or automatically at a time; a past time means now. */
  readonly publication: 'now' | 'later' | Date
}

/** The HTML of a text: URLs, mentions of known accounts and hashtags become links. */
export const formatAnnouncement = async (services: Services, text: string): Promise<string> =>
  formatNote(text, await profileContext(services, [text]))

const publishAt = (runner: Runner, announcement: Id, at: Date): Promise<void> =>
  enqueue(runner, publishAnnouncements, {}, { at, key: `announcements.publish:${announcement}` })

/**
 * Creates an announcement and returns its id. One that is published at once is streamed to all
 * users.
 * @param moderator null: the operator
 */
export async function createAnnouncement(
  services: Services,
  moderator: Id | null,
  draft: AnnouncementDraft,
): Promise<Id> {
  const { text, startsAt, endsAt, isAllDay, publication } = draft
  const content = await formatAnnouncement(services, text)
  const scheduledAt = publication instanceof Date ? publication : null
  const waits = scheduledAt !== null && scheduledAt.getTime() > Date.now()
  return services.database.transaction(async transaction => {
    const announcement = await transaction.one(add, {
      moderator,
      text,
      content,
      starts_at: startsAt,
      ends_at: endsAt,
      all_day: isAllDay,
      published: publication !== 'later' && !waits,
      scheduled_at: scheduledAt,
    })
    if (!announcement) throw new Error('the announcement was not stored')
    if (waits) await publishAt(transaction, announcement.id, scheduledAt)
    return announcement.id
  })
}

/**
 * Replaces the text of an announcement, and its times if given; false if the id does not exist.
 * Users who see it are notified.
 */
export async function editAnnouncement(
  services: Services,
  moderator: Id | null,
  announcement: Id,
  { text, times: given }: { readonly text: string; readonly times?: AnnouncementTimes },
): Promise<boolean> {
  const content = await formatAnnouncement(services, text)
  const { startsAt = null, endsAt = null, isAllDay = false, scheduledAt = null } = given ?? {}
  return services.database.transaction(async transaction => {
    const done = await transaction.one(edit, {
      moderator,
      announcement,
      text,
      content,
      sets_times: given !== undefined,
      starts_at: startsAt,
      ends_at: endsAt,
      all_day: isAllDay,
      scheduled_at: scheduledAt,
    })
    if (done && scheduledAt !== null) await publishAt(transaction, announcement, scheduledAt)
    return done !== undefined
  })
}

/**
 * Publishes an announcement, also before its time, or unpublishes it; false if the id does not
 * exist.
 */
export const publishAnnouncement = async (
  { database }: Services,
  moderator: Id | null,
  announcement: Id,
  published: boolean,
): Promise<boolean> => (await database.one(setPublished, { moderator, announcement, published })) !== undefined

/** False if the id does not exist. */
export const deleteAnnouncement = async (
  { database }: Services,
  moderator: Id | null,
  announcement: Id,
): Promise<boolean> => (await database.one(remove, { moderator, announcement })) !== undefined
