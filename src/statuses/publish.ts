import {
  afterPending,
  c,
  createBatcher,
  query,
  violatedConstraint,
  type Row,
  type Runner,
} from '../platform/database/index.ts'
import { ApiError } from '../core/errors.ts'
import type { Id } from '../core/id.ts'
import type { Viewer } from '../core/viewer.ts'
import { storePoll } from './polls/index.ts'
import { storeQuote } from './quotes/index.ts'
import { finishSchedule, lockSchedule } from './scheduled/index.ts'
import { perServer, type Services } from '../platform/services.ts'
import { urlOf } from './urls.ts'
import { resolveReferences, type ResolvedText, mediaMissing } from './resolve_references.ts'
import { parentMissing, type Draft } from './draft.ts'
import type { StatusFragment } from './fragment.ts'
import { loadFragment, makeNewFragment, statusFragments } from './load.ts'
import type { Posted } from './idempotency.ts'
import { requireMentioned, requireQuotable, withQuoted } from './quotable.ts'
import { isSpam } from './spam.ts'

const stored = {
  id: c.id,
  created_at: c.timestamp,
  conversation_id: c.id,
  application_name: c.nullable(c.text),
  application_website: c.nullable(c.text),
  events: c.events,
} as const

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
  stored,
  { returnsAllEvents: true },
)

type Post = Row<typeof post.parameters>

const postAll = query(
  'statuses/post_all',
  { posts: c.json<readonly Post[]>() },
  { place: c.integer, ...stored },
  { returnsAllEvents: true },
)

/** Posts that wait for no other row locks are committed together when many arrive at once. */
const postTogether = perServer(({ database }) =>
  createBatcher<Post, Row<typeof post.columns>>({
    runOne: posted => database.one(post, posted),
    runMany: posts => database.run(postAll, { posts }),
    turn: afterPending,
  }),
)

/** Whether it locks no row that posts of others also lock: a parent's or a conversation's. */
const isAlone = ({ in_reply_to, visibility }: Post): boolean => in_reply_to === null && visibility !== 'direct'

/** The author, and the application that posts. */
export interface Posting {
  readonly viewer: Viewer
  readonly applicationId: Id | null
}

/**
 * Publishes a status.
 * @param key the stored Idempotency-Key, null for none
 * @param scheduled the scheduled status that is due, if it is one
 * @throws ApiError with the messages that clients expect
 */
export async function publish(
  services: Services,
  { viewer, applicationId }: Posting,
  sent: Draft,
  key: string | null,
  scheduled: Id | null = null,
): Promise<Posted> {
  const { draft, quoted, composed } = await prepare(services, viewer, sent, scheduled)
  const parameters = {
    author: viewer.id,
    text: composed.text,
    content: composed.content,
    spoiler_text: draft.spoilerText,
    visibility: draft.visibility,
    sensitive: draft.sensitive,
    language: draft.language,
    in_reply_to: composed.parent?.id ?? null,
    in_reply_to_account: repliedAccount(composed, viewer.id),
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
    return { dropped: await dryRun(services, parameters, draft, quoted?.id).catch(refuseOrphan) }
  const row = await statusFragments(services).during(async store => {
    const row = await services.events.notifyAfter(insert(services, parameters, draft, quoted?.id)).catch(refuseOrphan)
    const isWhole =
      !draft.poll && quoted === undefined && composed.mediaIds.length + composed.collectionIds.length === 0
    const fragment = row && isWhole ? fragmentOf(services, viewer, composed, parameters, row) : undefined
    if (fragment) store(fragment.id, fragment)
    return row
  })
  if (row) return { status: row.id, fresh: composed.parent === undefined }
  throw composed.mediaIds.length > 0 ? mediaMissing(composed.mediaIds) : new ApiError('unavailable')
}

/** @throws ApiError when the parent was deleted since it was resolved */
function refuseOrphan(error: unknown): never {
  throw violatedConstraint(error) === 'statuses_in_reply_to_id_fkey' ? parentMissing() : error
}

/** The rendered data of a new status, with which nobody has interacted yet. */
const fragmentOf = (
  services: Services,
  viewer: Viewer,
  { mentions, tagIds, tagNames }: ResolvedText,
  parameters: Post,
  { id, created_at, conversation_id, application_name, application_website }: Row<typeof stored>,
): StatusFragment | undefined =>
  makeNewFragment(
    {
      id,
      created_at,
      conversation_id,
      application_name,
      application_website,
      mentions,
      tagIds,
      tagNames,
      account_id: viewer.id,
      username: viewer.username,
      content: parameters.content,
      spoiler_text: parameters.spoiler_text,
      visibility: parameters.visibility,
      sensitive: parameters.sensitive,
      language: parameters.language,
      in_reply_to_id: parameters.in_reply_to,
      in_reply_to_account_id: parameters.in_reply_to_account,
      quote_approval_policy: parameters.quote_policy,
    },
    services,
  )

/**
 * The data of a draft that is stored, after resolving its references.
 * @throws ApiError with the messages that clients expect
 */
export async function prepare(services: Services, viewer: Viewer, sent: Draft, scheduledId: Id | null) {
  const quoted = await requireQuotable(services, viewer, sent)
  const draft = withQuoted(sent, quoted)
  const quoteUrl = quoted ? urlOf(quoted, services.config.publicUrl) : null
  const composed = await resolveReferences(services, viewer, { ...draft, scheduledId, quoteUrl })
  requireMentioned(draft, viewer.id, quoted, composed.mentioned)
  return { draft, quoted, composed }
}

/** One statement; only a poll, a quote or a scheduled status needs a transaction. */
async function insert(services: Services, parameters: Post, draft: Draft, quoted: Id | undefined) {
  const { database } = services
  const { scheduled } = parameters
  if (!draft.poll && quoted === undefined && scheduled === null)
    return isAlone(parameters) ? postTogether(services)(parameters) : database.one(post, parameters)
  return database.transaction(async (transaction: Runner) => {
    // It may have been cancelled, moved or published meanwhile.
    if (scheduled !== null && !(await lockSchedule(transaction, scheduled))) return undefined
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

/** Stores the status, renders it, and rolls back. */
async function dryRun(
  services: Services,
  parameters: Post,
  draft: Draft,
  quoted: Id | undefined,
): Promise<StatusFragment> {
  const undone = new Error('undone')
  let fragment: StatusFragment | undefined
  await services.database
    .transaction(async transaction => {
      const row = await store(transaction, parameters, draft, quoted)
      fragment = row && (await loadFragment(services, transaction, row.id))
      throw undone
    })
    .catch((error: unknown) => {
      if (error !== undone) throw error
    })
  if (!fragment) throw new ApiError('unavailable')
  return fragment
}

/**
 * The account that a status replies to: within a thread of one's own statuses, the account that the
 * thread replies to.
 */
function repliedAccount({ parent }: ResolvedText, author: Id): Id | null {
  if (!parent) return null
  return parent.account_id === author ? (parent.in_reply_to_account_id ?? author) : parent.account_id
}
