import { profileContext } from '../../accounts/index.ts'
import { c, query } from '../../platform/database/index.ts'
import type { Id } from '../../core/id.ts'
import { enqueue } from '../../platform/jobs/index.ts'
import type { Services } from '../../platform/services.ts'
import { formatNote } from '../../core/text/index.ts'
import { publishAnnouncements } from './jobs.ts'

const changed = { id: c.id, events: c.events }
const add = query(
  'instance/announcements/add',
  {
    text: c.text,
    content: c.text,
    starts_at: c.nullable(c.timestamp),
    ends_at: c.nullable(c.timestamp),
    all_day: c.boolean,
    published: c.boolean,
    scheduled_at: c.nullable(c.timestamp),
  },
  changed,
)
const edit = query('instance/announcements/edit', { announcement: c.id, text: c.text, content: c.text }, changed)
const setPublished = query(
  'instance/announcements/set_published',
  { announcement: c.id, published: c.boolean },
  changed,
)
const remove = query('instance/announcements/delete', { announcement: c.id }, changed)

/** The content of an announcement. */
export interface AnnouncementDraft {
  readonly text: string
  /** The announced period; the announcement is unpublished at `endsAt`. Both or neither. */
  readonly startsAt: Date | null
  readonly endsAt: Date | null
  /** Clients show the dates without times. */
  readonly isAllDay: boolean
  /** `now`, `later` by hand, or automatically at a time; a past time means now. */
  readonly publication: 'now' | 'later' | Date
}

/** URLs, mentions of known accounts and hashtags become links. */
const format = async (services: Services, text: string): Promise<string> =>
  formatNote(text, await profileContext(services, [text]))

/**
 * Creates an announcement and returns its id. One that is published at once is streamed to all
 * users.
 */
export async function createAnnouncement(services: Services, draft: AnnouncementDraft): Promise<Id> {
  const { text, startsAt, endsAt, isAllDay, publication } = draft
  const content = await format(services, text)
  const scheduledAt = publication instanceof Date ? publication : null
  const waits = scheduledAt !== null && scheduledAt.getTime() > Date.now()
  return services.database.transaction(async transaction => {
    const made = await transaction.one(add, {
      text,
      content,
      starts_at: startsAt,
      ends_at: endsAt,
      all_day: isAllDay,
      published: publication !== 'later' && !waits,
      scheduled_at: scheduledAt,
    })
    if (!made) throw new Error('the announcement was not stored')
    if (waits) {
      await enqueue(transaction, publishAnnouncements, {}, { at: scheduledAt, key: `announcements.publish:${made.id}` })
    }
    return made.id
  })
}

/**
 * Replaces the text of an announcement; false if the id does not exist. Users who see it are
 * notified.
 */
export async function editAnnouncement(services: Services, announcement: Id, text: string): Promise<boolean> {
  const content = await format(services, text)
  return (await services.database.one(edit, { announcement, text, content })) !== undefined
}

/**
 * Publishes an announcement, also before its time, or unpublishes it; false if the id does not
 * exist.
 */
export const publishAnnouncement = async (
  { database }: Services,
  announcement: Id,
  published: boolean,
): Promise<boolean> => (await database.one(setPublished, { announcement, published })) !== undefined

/** False if the id does not exist. */
export const deleteAnnouncement = async ({ database }: Services, announcement: Id): Promise<boolean> =>
  (await database.one(remove, { announcement })) !== undefined
