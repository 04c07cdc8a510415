import { c, createBatcher, query, type Row, type Runner } from '../platform/database/index.ts'
import { ApiError } from '../core/errors.ts'
import type { Id } from '../core/id.ts'
import type { Viewer } from '../core/viewer.ts'
import { storePoll } from './polls/index.ts'
import { storeQuote } from './quotes/index.ts'
import { finishSchedule, holdSchedule } from './scheduled/index.ts'
import { perServer, type Services } from '../platform/services.ts'
import { urlOf } from './urls.ts'
import { compose, type Composed, mediaMissing } from './resolve_references.ts'
import type { Draft } from './draft.ts'
import type { StatusFragment } from './fragment.ts'
import { loadFragment } from './load.ts'
import type { Posted } from './idempotency.ts'
import { requireMentioned, requireQuotable, withQuoted } from './quotable.ts'
import { isSpam } from './spam.ts'

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
    scheduled: c.nullable(c.id),
    has_link: c.boolean,
    collections: c.ids,
  },
  { id: c.id, events: c.events },
)

type Post = Row<typeof post.parameters>

const postAll = query(
  'statuses/post_all',
  { posts: c.json<readonly Post[]>() },
  { place: c.integer, id: c.id, events: c.events },
)

/** Posts that wait for nobody else's rows are committed together, when many come at once. */
const postTogether = perServer(({ database }) =>
  createBatcher<Post, Row<typeof post.columns>>({
    runOne: posted => database.one(post, posted),
    runMany: posts => database.run(postAll, { posts }),
  }),
)

/** Whether it locks no row that posts of others lock too: of what it answers, of whom it mentions. */
const isAlone = ({ in_reply_to, mentioned, visibility }: Post): boolean =>
  in_reply_to === null && mentioned.length === 0 && visibility !== 'direct'

/** Who posts, and with which application. */
export interface Posting {
  readonly viewer: Viewer
  readonly applicationId: Id | null
}

/**
 * Publishes a status.
 * @param key the Idempotency-Key as it is stored, null for none
 * @param scheduled the one that is published because its time has come
 * @throws ApiError with the texts of api/endpoints/statuses.json
 */
export async function publish(
  services: Services,
  { viewer, applicationId }: Posting,
  asked: Draft,
  key: string | null,
  scheduled: Id | null = null,
): Promise<Posted> {
  const { draft, quoted, composed } = await prepare(services, viewer, asked, scheduled)
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
    scheduled,
    has_link: composed.hasLink && quoted === undefined && composed.mediaIds.length === 0,
    collections: [...composed.collectionIds],
  }
  if (await isSpam(services, viewer.id, composed))
    return { dropped: await rehearse(services, parameters, draft, quoted?.id) }
  // Also when it fails: what was cut off may have been committed.
  const row = await insert(services, parameters, draft, quoted?.id).finally(services.events.notify)
  if (row) return { status: row.id, fresh: composed.parent === undefined }
  throw composed.mediaIds.length > 0 ? mediaMissing(composed.mediaIds) : new ApiError('unavailable')
}

/**
 * What is stored of a draft, once it is known what it refers to.
 * @throws ApiError with the texts of api/endpoints/statuses.json
 */
export async function prepare(services: Services, viewer: Viewer, asked: Draft, scheduledId: Id | null) {
  const quoted = await requireQuotable(services, viewer, asked)
  const draft = withQuoted(asked, quoted)
  const quoteUrl = quoted ? urlOf(quoted, services.config.publicUrl) : null
  const composed = await compose(services, viewer, { ...draft, scheduledId, quoteUrl })
  requireMentioned(draft, viewer.id, quoted, composed.mentioned)
  return { draft, quoted, composed }
}

/** One statement, and a transaction only for what has a poll or a quote, or was scheduled. */
async function insert(services: Services, parameters: Post, draft: Draft, quoted: Id | undefined) {
  const { database } = services
  const { scheduled } = parameters
  if (!draft.poll && quoted === undefined && scheduled === null)
    return isAlone(parameters) ? postTogether(services)(parameters) : database.one(post, parameters)
  return database.transaction(async (transaction: Runner) => {
    // It may have been cancelled, moved or published since it was looked up.
    if (scheduled !== null && !(await holdSchedule(transaction, scheduled))) return undefined
    const row = await store(transaction, parameters, draft, quoted)
    if (row && scheduled !== null) await finishSchedule(transaction, scheduled, row.id)
    return row
  })
}

async function store(
  transaction: Runner,
  parameters: Post,
  { poll }: Draft,
  quoted: Id | undefined,
): Promise<Row<typeof post.columns> | undefined> {
  const row = await transaction.one(post, parameters)
  if (row && poll) await storePoll(transaction, row.id, poll)
  if (row && quoted !== undefined) await storeQuote(transaction, row.id, parameters.author, quoted)
  return row
}

/** Stores it, looks at what has come of it, and undoes it all. */
async function rehearse(
  services: Services,
  parameters: Post,
  draft: Draft,
  quoted: Id | undefined,
): Promise<StatusFragment> {
  const undone = new Error('undone')
  let made: StatusFragment | undefined
  await services.database
    .transaction(async transaction => {
      const row = await store(transaction, parameters, draft, quoted)
      made = row && (await loadFragment(services, transaction, row.id))
      throw undone
    })
    .catch((error: unknown) => {
      if (error !== undone) throw error
    })
  if (!made) throw new ApiError('unavailable')
  return made
}

/** Whom a status counts as answering: in a chain of one's own, whoever the chain answers (entities/Status.json). */
function answeredAccount({ parent }: Composed, author: Id): Id | null {
  if (!parent) return null
  return parent.account_id === author ? (parent.in_reply_to_account_id ?? author) : parent.account_id
}
