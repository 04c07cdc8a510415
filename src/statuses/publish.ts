import { createHash } from 'node:crypto'
import { c, query, type Row, type Runner, violatedConstraint } from '../database/index.ts'
import { Failure } from '../failure.ts'
import type { Id } from '../id.ts'
import type { Viewer } from '../oauth/token.ts'
import { storePoll } from '../polls/index.ts'
import type { Services } from '../services.ts'
import { compose, type Composed, mediaMissing } from './compose.ts'
import type { Draft } from './draft.ts'

const post = query(
  'statuses/post',
  {
    author: c.id,
    text: c.text,
    content: c.text,
    spoiler_text: c.text,
    visibility: c.visibility,
    sensitive: c.boolean,
    language: c.nullable(c.text),
    in_reply_to: c.nullable(c.id),
    in_reply_to_account: c.nullable(c.id),
    conversation: c.nullable(c.id),
    application: c.nullable(c.id),
    quote_policy: c.text,
    mentioned: c.ids,
    tags: c.ids,
    tag_names: c.texts,
    media: c.ids,
    idempotency_key: c.nullable(c.text),
  },
  { id: c.id, queued: c.integer, events: c.events },
)

const findPosted = query('statuses/posted', { author: c.id, key: c.text }, { status_id: c.id })

/** Who posts, and with which application. */
export interface Posting {
  readonly viewer: Viewer
  readonly applicationId: Id | null
}

export interface Published {
  readonly id: Id
  /** It was made now, not by an earlier request with the same key, and answers nothing. */
  readonly fresh: boolean
}

/** Index entries have a limit of 2,700 bytes, keys of clients have none. */
const LONGEST_KEY = 200

/**
 * Publishes a status. With a key the same is published once in an hour: a repeat, also at the same time, gives the
 * id of the first.
 * @param key the Idempotency-Key, '' for none
 * @throws Failure with the texts of api/endpoints/statuses.json
 */
export async function publish(
  services: Services,
  posting: Posting,
  key: string,
  readDraft: () => Draft,
): Promise<Published> {
  if (key === '') return store(services, posting, readDraft(), null)
  const stored = key.length > LONGEST_KEY ? createHash('sha256').update(key).digest('hex') : key
  const findEarlier = async (): Promise<Published | undefined> => {
    const row = await services.database.one(findPosted, { author: posting.viewer.id, key: stored })
    return row && { id: row.status_id, fresh: false }
  }
  const earlier = await findEarlier()
  if (earlier !== undefined) return earlier
  try {
    return await store(services, posting, readDraft(), stored)
  } catch (error) {
    // The first may have finished since, and taken what this one now misses: its files, or the key itself.
    const meanwhile = await findEarlier()
    if (meanwhile !== undefined) return meanwhile
    throw error
  }
}

async function store(
  services: Services,
  { viewer, applicationId }: Posting,
  draft: Draft,
  key: string | null,
): Promise<Published> {
  const composed = await compose(services, viewer, draft)
  const parameters = {
    author: viewer.id,
    text: composed.text,
    content: composed.content,
    spoiler_text: draft.spoilerText,
    visibility: draft.visibility,
    sensitive: draft.sensitive,
    language: draft.language,
    in_reply_to: composed.parent?.id ?? null,
    in_reply_to_account: answeredAccount(composed, viewer.id),
    conversation: composed.parent?.conversation_id ?? null,
    application: applicationId,
    quote_policy: draft.quotePolicy,
    mentioned: [...composed.mentioned],
    tags: [...composed.tagIds],
    tag_names: [...composed.tagNames],
    media: [...composed.mediaIds],
    idempotency_key: key,
  }
  const row = await insert(services, parameters, draft).catch((error: unknown) => {
    throw TAKEN.has(violatedConstraint(error) ?? '') ? mediaMissing(composed.mediaIds) : error
  })
  if (row) return { id: row.id, fresh: composed.parent === undefined }
  throw composed.mediaIds.length > 0 ? mediaMissing(composed.mediaIds) : new Failure('unavailable')
}

/** One statement, and a transaction only for what has a poll. */
async function insert({ database }: Services, parameters: Row<typeof post.parameters>, { poll }: Draft) {
  if (!poll) return database.one(post, parameters)
  return database.transaction(async (transaction: Runner) => {
    const row = await transaction.one(post, parameters)
    if (row) await storePoll(transaction, row.id, poll)
    return row
  })
}

/** When a file was taken by another status since it was looked up no status is stored, and what was to refer to it cannot be. */
const TAKEN = new Set(['media_attachments_status_id_fkey', 'idempotency_keys_status_id_fkey'])

/** Whom a status counts as answering: in a chain of one's own, whoever the chain answers (entities/Status.json). */
function answeredAccount({ parent }: Composed, author: Id): Id | null {
  if (!parent) return null
  return parent.account_id === author ? (parent.in_reply_to_account_id ?? author) : parent.account_id
}
