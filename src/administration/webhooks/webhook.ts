import { randomBytes } from 'node:crypto'
import { fieldErrors, type FieldError } from '../../core/errors.ts'
import type { Id } from '../../core/id.ts'
import type { Viewer } from '../../core/viewer.ts'
import { c, query, type Row, type Runner } from '../../platform/database/index.ts'
import { isWebhookEvent, maySubscribe, WEBHOOK_EVENT_NAMES, type WebhookEvent } from './events.ts'
import { parseUrl } from '../../core/parse_url.ts'

const columns = {
  id: c.id,
  url: c.text,
  events: c.texts,
  secret: c.text,
  enabled: c.boolean,
  created_by: c.nullable(c.id),
  failures: c.integer,
  last_error: c.nullable(c.text),
  last_failed_at: c.nullable(c.timestamp),
  created_at: c.timestamp,
  updated_at: c.timestamp,
} as const
const idColumn = { id: c.id } as const
const listQuery = query('administration/webhooks/list', {}, columns)
const findQuery = query('administration/webhooks/find', { id: c.id }, columns)
const createQuery = query(
  'administration/webhooks/create',
  { creator: c.nullable(c.id), url: c.text, events: c.texts, secret: c.text },
  idColumn,
)
const updateQuery = query(
  'administration/webhooks/update',
  { moderator: c.nullable(c.id), id: c.id, url: c.text, events: c.texts },
  idColumn,
)
const enableQuery = query(
  'administration/webhooks/enable',
  { moderator: c.nullable(c.id), id: c.id, enabled: c.boolean },
  idColumn,
)
const rotateQuery = query(
  'administration/webhooks/rotate',
  { moderator: c.nullable(c.id), id: c.id, secret: c.text },
  idColumn,
)
const deleteQuery = query('administration/webhooks/delete', { moderator: c.nullable(c.id), id: c.id }, idColumn)

/** A URL that receives events of this server. */
export type Webhook = Row<typeof columns>

/** The submitted form of a webhook. */
export interface WebhookDraft {
  readonly url: string
  readonly events: readonly string[]
}

const SECRET_BYTES = 20
const MAX_URL_BYTES = 2048

const generateSecret = (): string => randomBytes(SECRET_BYTES).toString('hex')

/** The normalised URL; undefined unless it is an http or https URL without credentials. */
function parseTarget(text: string): string | undefined {
  const url = parseUrl(text.trim())
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.username !== '' || url.password !== '')
    return undefined
  return Buffer.byteLength(url.href) > MAX_URL_BYTES ? undefined : url.href
}

/** @throws ApiError validation */
function parseDraft(
  moderator: Viewer | null,
  { url: urlText, events }: WebhookDraft,
): { url: string; events: WebhookEvent[] } {
  const url = parseTarget(urlText)
  const knownEvents = WEBHOOK_EVENT_NAMES.filter(name => events.includes(name))
  const errors: FieldError[] = []
  const addError = (field: string, code: string, message: string): void => void errors.push({ field, code, message })
  if (urlText.trim() === '') addError('url', 'ERR_BLANK', "can't be blank")
  else if (url === undefined) addError('url', 'ERR_INVALID', 'is not a valid URL')
  if (events.length === 0) addError('events', 'ERR_BLANK', "can't be blank")
  else if (!events.every(isWebhookEvent)) addError('events', 'ERR_INVALID', 'is invalid')
  else if (!knownEvents.every(name => maySubscribe(moderator, name)))
    addError('events', 'ERR_RIGHTS', "cannot include events you don't have the rights to")
  if (url === undefined || errors.length > 0) throw fieldErrors(...errors)
  return { url, events: knownEvents }
}

/** All webhooks, newest first. */
export const listWebhooks = (runner: Runner): Promise<Webhook[]> => runner.run(listQuery, {})

export const findWebhook = (runner: Runner, id: Id): Promise<Webhook | undefined> => runner.one(findQuery, { id })

/** @throws ApiError validation if no row was written, because another webhook has the URL */
async function requireSaved(runner: Runner, saved: { id: Id } | undefined): Promise<Webhook> {
  const webhook = saved && (await findWebhook(runner, saved.id))
  if (!webhook) throw fieldErrors({ field: 'url', code: 'ERR_TAKEN', message: 'has already been taken' })
  return webhook
}

/**
 * Creates an enabled webhook with a new secret.
 * @param moderator null for the operator
 * @throws ApiError validation, also for events that the moderator's role does not permit
 */
export async function createWebhook(runner: Runner, moderator: Viewer | null, draft: WebhookDraft): Promise<Webhook> {
  const parsed = parseDraft(moderator, draft)
  return requireSaved(
    runner,
    await runner.one(createQuery, { creator: moderator?.id ?? null, ...parsed, secret: generateSecret() }),
  )
}

/** Changes the URL and the events. @throws ApiError validation, as `createWebhook` */
export async function updateWebhook(
  runner: Runner,
  moderator: Viewer | null,
  id: Id,
  draft: WebhookDraft,
): Promise<Webhook> {
  const parsed = parseDraft(moderator, draft)
  return requireSaved(runner, await runner.one(updateQuery, { moderator: moderator?.id ?? null, id, ...parsed }))
}

/** Enables or disables a webhook. Returns false if nothing changes. */
export const setWebhookEnabled = async (
  runner: Runner,
  moderator: Viewer | null,
  id: Id,
  enabled: boolean,
): Promise<boolean> => (await runner.one(enableQuery, { moderator: moderator?.id ?? null, id, enabled })) !== undefined

/**
 * Replaces the secret, also for pending deliveries. Returns the new one, or undefined if there is
 * no such webhook.
 */
export async function rotateWebhookSecret(
  runner: Runner,
  moderator: Viewer | null,
  id: Id,
): Promise<string | undefined> {
  const secret = generateSecret()
  return (await runner.one(rotateQuery, { moderator: moderator?.id ?? null, id, secret })) && secret
}

/** Returns false if there is no such webhook. */
export const deleteWebhook = async (runner: Runner, moderator: Viewer | null, id: Id): Promise<boolean> =>
  (await runner.one(deleteQuery, { moderator: moderator?.id ?? null, id })) !== undefined
