import { LIMITS } from '../core/limits.ts'
import { ApiError, validationError } from '../core/errors.ts'
import { type Id, parseId } from '../core/id.ts'
import { findLanguage } from '../core/languages/index.ts'
import type { Viewer } from '../core/viewer.ts'
import { defaultVisibility } from '../accounts/index.ts'
import { type PollInput, type PollDraft, readPoll } from './polls/index.ts'
import { countGraphemes, countStatus } from '../core/text/index.ts'
import type { Visibility } from './event_facts.ts'

const { max_characters: MAX_CHARACTERS, max_media_attachments: MAX_MEDIA } = LIMITS.statuses

export const POSTED_VISIBILITIES = ['public', 'unlisted', 'private', 'direct'] as const
export const QUOTE_POLICIES = ['public', 'followers', 'nobody'] as const
export type QuotePolicy = (typeof QUOTE_POLICIES)[number]

/** The parameters of a new status. Texts are as sent. */
export interface Input {
  readonly status?: string | undefined
  readonly spoiler_text?: string | undefined
  readonly sensitive?: boolean | undefined
  readonly visibility?: (typeof POSTED_VISIBILITIES)[number] | undefined
  readonly language?: string | undefined
  readonly in_reply_to_id?: string | undefined
  readonly media_ids?: readonly string[] | undefined
  readonly quote_approval_policy?: string | undefined
  readonly quoted_status_id?: string | undefined
  readonly poll?: PollInput | undefined
  readonly allowed_mentions?: readonly Id[] | undefined
}

/** A status that is ready to be stored, except for its references. */
export interface Draft {
  readonly text: string
  readonly spoilerText: string
  readonly sensitive: boolean
  readonly visibility: Visibility
  readonly language: string
  readonly quotePolicy: QuotePolicy
  readonly parentId: Id | null
  readonly quotedId: Id | null
  /** As sent, without duplicates; not all need be valid ids. */
  readonly mediaIds: readonly string[]
  readonly poll: PollDraft | null
  readonly allowedMentions: readonly Id[] | undefined
}

export const parentMissing = (): ApiError =>
  new ApiError('notFound', { message: 'The post you are trying to reply to does not appear to exist.' })

/** A 422 with a complete message, without the prefix of other validation errors. */
export const refuse = (message: string): ApiError => new ApiError('validation', { message })

/**
 * Validates a new status and fills omitted parameters from the author's preferences. Needs no
 * query.
 * @throws ApiError with the messages that clients expect
 */
export function readDraft(input: Input, viewer: Viewer, defaultLocale: string): Draft {
  const quotedId = readReference(input.quoted_status_id, quotedMissing)
  const mediaIds = [...new Set(input.media_ids ?? [])]
  if (mediaIds.length > MAX_MEDIA) throw refuse(`Cannot attach more than ${MAX_MEDIA} files`)
  const texts = readTexts(input.status ?? '', input.spoiler_text ?? '', mediaIds.length > 0, quotedId !== null)
  const visibility = readVisibility(input, viewer)
  return {
    ...texts,
    sensitive: texts.sensitive || (input.sensitive ?? viewer.preferences['default_sensitive'] === true),
    visibility,
    language: readLanguage(input.language, viewer) ?? defaultLocale,
    quotePolicy: readQuotePolicy(input.quote_approval_policy, visibility, viewer),
    parentId: readReference(input.in_reply_to_id, parentMissing),
    quotedId,
    mediaIds,
    poll: readPoll(input.poll),
    allowedMentions: input.allowed_mentions,
  }
}

export const quotedMissing = (): ApiError =>
  new ApiError('notFound', { message: 'The post you are trying to quote does not appear to exist.' })

/**
 * Text and content warning, trimmed. A content warning without text becomes the text, unless there
 * is a quote.
 * @param mayBeBlank true with attachments; with a quote it may always be blank
 * @throws ApiError when both are blank or too long
 */
export function readTexts(
  status: string,
  spoiler: string,
  mayBeBlank: boolean,
  quotes: boolean,
): { text: string; spoilerText: string; sensitive: boolean } {
  const stripped = status.trim()
  const warning = spoiler.trim()
  const swapped = stripped === '' && warning !== '' && !quotes
  const text = swapped ? warning : stripped
  const spoilerText = swapped ? '' : warning
  if (text === '' && !mayBeBlank && !quotes) throw validationError("Text can't be blank")
  if (countStatus(text) + countGraphemes(spoilerText) > MAX_CHARACTERS)
    throw validationError(`Text character limit of ${MAX_CHARACTERS} exceeded`)
  return { text, spoilerText, sensitive: warning !== '' }
}

function readVisibility(input: Input, viewer: Viewer): Visibility {
  const visibility = input.visibility ?? defaultVisibility(viewer)
  return visibility === 'public' && viewer.silenced ? 'unlisted' : visibility
}

function readLanguage(requested: string | undefined, viewer: Viewer): string | undefined {
  for (const tag of [requested, viewer.preferences['default_language'], viewer.locale]) {
    const known = typeof tag === 'string' ? findLanguage(tag) : undefined
    if (known !== undefined) return known
  }
  return undefined
}

/** @throws ApiError for an unknown policy */
export function readQuotePolicy(name: string | undefined, visibility: Visibility, viewer: Viewer): QuotePolicy {
  const requested = name === undefined || name === '' ? viewer.preferences['default_quote_policy'] : name
  const policy = QUOTE_POLICIES.find(known => known === requested)
  if (!policy && name !== undefined && name !== '') throw refuse('Record invalid')
  return visibility === 'public' || visibility === 'unlisted' ? (policy ?? 'public') : 'nobody'
}

function readReference(text: string | undefined, missing: () => ApiError): Id | null {
  if (text === undefined || text === '') return null
  const parsed = parseId(text)
  if (parsed === undefined) throw missing()
  return parsed
}
