import { countCodePoints } from '../../core/text/index.ts'
import { clockTime, isTimeZone, timeAt } from '../../core/zoned_time.ts'
import type { AnnouncementTimes } from '../../instance/announcements/index.ts'
import type { StoredAnnouncement } from '../../instance/announcements/index.ts'
import type { Staff } from '../index.ts'

export const MAX_TEXT_CHARACTERS = 5000

/** The submitted form of an announcement; times as `2030-01-31T12:00`, in its time zone. */
export interface Draft {
  readonly text: string
  readonly starts_at: string
  readonly ends_at: string
  readonly all_day: boolean
  readonly scheduled_at: string
  readonly time_zone: string
}

export type DraftErrors = Readonly<Partial<Record<keyof Draft, readonly string[]>>>

/** An empty form in the writer's time zone. */
export const emptyDraft = ({ translator }: Staff): Draft => ({
  text: '',
  starts_at: '',
  ends_at: '',
  all_day: false,
  scheduled_at: '',
  time_zone: translator.timeZone ?? 'UTC',
})

/** The form of a stored announcement, in the writer's time zone. */
export function toDraft(stored: StoredAnnouncement, staff: Staff): Draft {
  const empty = emptyDraft(staff)
  const format = (time: Date | null): string => (time ? clockTime(time, empty.time_zone) : '')
  return {
    ...empty,
    text: stored.text,
    starts_at: format(stored.starts_at),
    ends_at: format(stored.ends_at),
    all_day: stored.all_day,
    scheduled_at: format(stored.scheduled_at),
  }
}

/** Null for a blank text; undefined for an invalid time. */
const parseTime = (text: string, zone: string): Date | null | undefined =>
  text.trim() === '' ? null : timeAt(text.trim(), zone)

/** Parses a form into times, or returns its errors. */
export function parseDraft(draft: Draft, { t }: Staff): { times: AnnouncementTimes } | { errors: DraftErrors } {
  const errors: Partial<Record<keyof Draft, string[]>> = {}
  const addError = (name: keyof Draft, error: string): void => void (errors[name] ??= []).push(error)
  if (draft.text.trim() === '') addError('text', t('form_error.ERR_BLANK'))
  if (countCodePoints(draft.text) > MAX_TEXT_CHARACTERS)
    addError('text', t('form_error.ERR_TOO_LONG', { count: MAX_TEXT_CHARACTERS }))
  const isZone = isTimeZone(draft.time_zone)
  if (!isZone) addError('time_zone', t('form_error.ERR_INVALID'))
  const read = (name: 'starts_at' | 'ends_at' | 'scheduled_at'): Date | null => {
    const time = parseTime(draft[name], isZone ? draft.time_zone : 'UTC')
    if (time === undefined) addError(name, t('announcements.error.time'))
    return time ?? null
  }
  const [startsAt, endsAt, scheduledAt] = [read('starts_at'), read('ends_at'), read('scheduled_at')]
  if (Object.keys(errors).length === 0) {
    if ((startsAt === null) !== (endsAt === null))
      addError(startsAt === null ? 'starts_at' : 'ends_at', t('announcements.error.pair'))
    if (startsAt && endsAt && endsAt <= startsAt) addError('ends_at', t('announcements.error.order'))
    if (scheduledAt && scheduledAt.getTime() <= Date.now()) addError('scheduled_at', t('announcements.error.past'))
  }
  return Object.keys(errors).length > 0
    ? { errors }
    : { times: { startsAt, endsAt, isAllDay: draft.all_day, scheduledAt } }
}
