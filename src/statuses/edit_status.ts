import { LIMITS } from '../core/limits.ts'
import { c, query, type Database, type Row, type Runner } from '../platform/database/index.ts'
import { ApiError } from '../core/errors.ts'
import type { Id } from '../core/id.ts'
import { operation } from '../platform/http/operation.ts'
import { param } from '../platform/http/param/index.ts'
import { enqueue } from '../platform/jobs/index.ts'
import { removeFiles, storing } from '../media/attachments/index.ts'
import { endOf, lockPollOf, type PollDraft, pollParam, readPoll, scheduleEnd } from './polls/index.ts'
import type { Services } from '../platform/services.ts'
import { findLanguage } from '../core/languages/index.ts'
import { type Addressed, urlOf } from './urls.ts'
import { respondWithStatus } from './status_response.ts'
import { resolveReferences, mediaMissing } from './resolve_references.ts'
import { QUOTE_POLICIES, readTexts, refuse } from './draft.ts'
import {
  mediaAttributes,
  readChanges,
  storeThumbnails,
  THUMBNAILS_LIMIT_BYTES,
  type MediaChange,
} from './media_changes.ts'

const findEditable = query(
  'statuses/editable',
  { author: c.id, status: c.id },
  {
    id: c.id,
    visibility: c.visibility,
    has_quote: c.boolean,
    quoted: c.nullable(c.json<Addressed>()),
  },
)
const lockStatus = query('statuses/lock', { status: c.id }, { id: c.id })
const lockMedia = query('statuses/lock_media', { account: c.id, media: c.ids }, { id: c.id })
const edit = query(
  'statuses/edit',
  {
    author: c.id,
    status: c.id,
    text: c.text,
    content: c.text,
    spoiler_text: c.text,
    sensitive: c.boolean,
    language: c.nullable(c.text),
    quote_policy: c.nullable(c.text),
    mentioned: c.ids,
    tags: c.ids,
    tag_names: c.texts,
    media: c.ids,
    media_changes: c.json<MediaChange[]>(),
    poll: c.nullable(c.json<NewPoll>()),
    has_link: c.boolean,
    collections: c.ids,
  },
  {
    id: c.id,
    queued: c.integer,
    poll_id: c.nullable(c.id),
    old_previews: c.texts,
    lacks_media: c.boolean,
    events: c.events,
  },
)

/** A poll, as the parameters of the statement. */
interface NewPoll {
  readonly options: readonly string[]
  /** Null for no change. */
  readonly multiple: boolean | null
  readonly hide_totals: boolean
  readonly expires_in: number
  readonly expires_at: Date
}

/**
 * The body replaces the status: omitted parameters are cleared, except the language and the quote
 * policy.
 */
export const editStatus = operation({
  method: ['PUT', 'PATCH'],
  path: '/api/v1/statuses/:id',
  auth: 'user',
  scopes: ['write:statuses'],
  budget: 'statuses',
  bodyLimitBytes: THUMBNAILS_LIMIT_BYTES,
  summary: 'Edit an own status',
  params: {
    id: param.id(),
    status: param.string({ default: '' }),
    spoiler_text: param.string({ default: '' }),
    sensitive: param.boolean({ default: false }),
    language: param.string({ optional: true }),
    media_ids: param.strings({ default: [] }),
    media_attributes: mediaAttributes,
    poll: pollParam,
    quote_approval_policy: param.string({ optional: true }),
  },
  returns: 'Status',
  requireRecord: (id, { viewer, database }) => requireEditable(database, viewer.id, id),
  async handle(input, context) {
    const { viewer, database, storage } = context
    const editable = await requireEditable(database, viewer.id, input.id)
    const mediaIds = [...new Set(input.media_ids)]
    if (mediaIds.length > LIMITS.statuses.max_media_attachments)
      throw refuse(`Cannot attach more than ${LIMITS.statuses.max_media_attachments} files`)
    const texts = readTexts(input.status, input.spoiler_text, mediaIds.length > 0, editable.has_quote)
    const policy = readPolicy(input.quote_approval_policy)
    const changes = readChanges(input.media_attributes)
    const composed = await resolveReferences(context, viewer, {
      text: texts.text,
      parentId: null,
      mediaIds,
      statusId: input.id,
      quoteUrl: editable.quoted && urlOf(editable.quoted, context.config.publicUrl),
    })
    const open = editable.visibility === 'public' || editable.visibility === 'unlisted'
    const poll = readPoll(input.poll)
    const columns = {
      author: viewer.id,
      status: input.id,
      text: composed.text,
      content: composed.content,
      spoiler_text: texts.spoilerText,
      sensitive: texts.sensitive || input.sensitive,
      language: findLanguage(input.language ?? '') ?? null,
      quote_policy: open ? policy : null,
      mentioned: [...composed.mentioned],
      tags: [...composed.tagIds],
      tag_names: [...composed.tagNames],
      media: [...composed.mediaIds],
      has_link: composed.hasLink,
      collections: [...composed.collectionIds],
    }
    await storing(storage, async stored => {
      const media_changes = await storeThumbnails(context, changes, composed.media, stored)
      const edited = await apply(context, poll, { ...columns, media_changes })
      if (!edited) throw new ApiError('notFound')
    })
    return respondWithStatus(context, input.id)
  },
})

/** @throws ApiError when it is not a status of the author that can be edited */
async function requireEditable(database: Database, author: Id, status: Id): Promise<Row<typeof findEditable.columns>> {
  const editable = await database.one(findEditable, { author, status })
  if (!editable) throw new ApiError('notFound')
  return editable
}

/**
 * Stores the edit, after others of the status and changes of its attachments: the statement reads
 * what they left. Its poll is locked, and the end of a new or changed one is scheduled.
 */
async function apply(
  { database }: Services,
  draft: PollDraft | null,
  edited: Omit<Row<typeof edit.parameters>, 'poll'>,
) {
  const poll = draft && newPoll(draft)
  return database.transaction(async (transaction: Runner) => {
    await transaction.one(lockStatus, { status: edited.status })
    await lockPollOf(transaction, edited.status)
    if (edited.media.length > 0) await transaction.run(lockMedia, { account: edited.author, media: edited.media })
    const row = await transaction.one(edit, { ...edited, poll })
    if (row?.lacks_media === true) throw mediaMissing(edited.media)
    if (row && row.old_previews.length > 0) await enqueue(transaction, removeFiles, { keys: row.old_previews })
    if (poll && row && row.poll_id !== null) await scheduleEnd(transaction, row.poll_id, poll.expires_at)
    return row
  })
}

const newPoll = (draft: PollDraft): NewPoll => ({
  options: draft.options,
  multiple: draft.multiple ?? null,
  hide_totals: draft.hideTotals,
  expires_in: draft.expiresInS,
  expires_at: endOf(draft),
})

function readPolicy(name: string | undefined): string | null {
  if (name === undefined || name === '') return null
  const policy = QUOTE_POLICIES.find(known => known === name)
  if (!policy) throw refuse('Record invalid')
  return policy
}
