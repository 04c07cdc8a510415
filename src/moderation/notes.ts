import { ApiError, fieldErrors } from '../core/errors.ts'
import type { Id } from '../core/id.ts'
import { countCodePoints } from '../core/text/index.ts'
import { c, query, type Runner } from '../platform/database/index.ts'

const listing = query(
  'moderation/list_notes',
  { account: c.nullable(c.id), report: c.nullable(c.id) },
  {
    id: c.id,
    author_id: c.nullable(c.id),
    author: c.nullable(c.text),
    content: c.text,
    created_at: c.timestamp,
  },
)
const adding = query(
  'moderation/add_note',
  { moderator: c.nullable(c.id), account: c.nullable(c.id), report: c.nullable(c.id), content: c.text },
  { id: c.id, entry: c.id },
)
const removing = query('moderation/remove_note', { moderator: c.nullable(c.id), id: c.id }, { removed: c.boolean })

export const MAX_NOTE_CHARACTERS = 2000

/** The subject of a note. */
export type NoteSubject = { readonly account: Id } | { readonly report: Id }

/** A moderator's note for other moderators. */
export interface ModerationNote {
  readonly id: Id
  /** Null: the operator, or an account that no longer exists. */
  readonly author_id: Id | null
  /** The author's handle. */
  readonly author: string | null
  readonly content: string
  readonly created_at: Date
}

/** The notes about an account or a report, oldest first; the newest 500. */
export const listNotes = (runner: Runner, subject: NoteSubject): Promise<ModerationNote[]> =>
  runner.run(listing, { account: null, report: null, ...subject })

/**
 * Stores a note of at most 2000 characters, with an entry in the audit log.
 * @param moderator null for the operator
 * @throws ApiError notFound, validation (with `details` by field)
 */
export async function addNote(
  runner: Runner,
  moderator: Id | null,
  subject: NoteSubject,
  content: string,
): Promise<Id> {
  const text = content.trim()
  if (text === '') throw fieldErrors({ field: 'content', code: 'ERR_BLANK', message: "can't be blank" })
  if (countCodePoints(text) > MAX_NOTE_CHARACTERS) {
    const message = `is too long (maximum is ${MAX_NOTE_CHARACTERS} characters)`
    throw fieldErrors({ field: 'content', code: 'ERR_TOO_LONG', message })
  }
  const added = await runner.one(adding, { moderator, account: null, report: null, ...subject, content: text })
  if (!added) throw new ApiError('notFound')
  return added.id
}

/**
 * Deletes a note: its author may, and moderators whose role is above the author's.
 * @throws ApiError notFound, notAllowed
 */
export async function removeNote(runner: Runner, moderator: Id | null, id: Id): Promise<void> {
  const done = await runner.one(removing, { moderator, id })
  if (!done) throw new ApiError('notFound')
  if (!done.removed) throw new ApiError('notAllowed')
}
