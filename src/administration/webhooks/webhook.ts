import { randomBytes } from 'node:crypto'
import { fieldErrors, type FieldError } from '../../core/errors.ts'
import type { Id } from '../../core/id.ts'
import type { Viewer } from '../../core/viewer.ts'
import { c, query, type Row, type Runner } from '../../platform/database/index.ts'
import { isWebhookEvent, maySubscribe, WEBHOOK_EVENT_NAMES, type WebhookEvent } from './events.ts'

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
const changed = { id: c.id } as const
const all = query('administration/webhooks/all', {}, columns)
const find = query('administration/webhooks/find', { id: c.id }, columns)
const create = query(
  'administration/webhooks/create',
  { creator: c.nullable(c.id), url: c.text, events: c.texts, secret: c.text },
  changed,
)
const update = query(
  'administration/webhooks/update',
  { moderator: c.nullable(c.id), id: c.id, url: c.text, events: c.texts },
  changed,
)
const enable = query(
  'administration/webhooks/enable',
  { moderator: c.nullable(c.id), id: c.id, enabled: c.boolean },
  changed,
)
const rotate = query(
  'administration/webhooks/rotate',
  { moderator: c.nullable(c.id), id: c.id, secret: c.text },
  changed,
)
const remove = query('administration/webhooks/delete', { moderator: c.nullable(c.id), id: c.id }, changed)

/** A URL that receives what happens on this server. */
export type Webhook = Row<typeof columns>

/** A webhook as somebody writes it. */
export interface WebhookDraft {
  readonly url: string
  readonly events: readonly string[]
}

const SECRET_BYTES = 20
const MAX_URL_BYTES = 2048

const newSecret = (): string => randomBytes(SECRET_BYTES).toString('hex')

/** The normalised URL; undefined unless it is one of http or https without a password. */
function parseUrl(given: string): string | undefined {
  const url = URL.canParse(given.trim()) ? new URL(given.trim()) : undefined
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.username !== '' || url.password !== '')
    return undefined
  return Buffer.byteLength(url.href) > MAX_URL_BYTES ? undefined : url.href
}

/** @throws ApiError validation */
function parseDraft(
  moderator: Viewer | null,
  { url: given, events }: WebhookDraft,
): { url: string; events: WebhookEvent[] } {
  const url = parseUrl(given)
  const known = WEBHOOK_EVENT_NAMES.filter(name => events.includes(name))
  const errors: FieldError[] = []
  const add = (field: string, code: string, message: string): void => void errors.push({ field, code, message })
  if (given.trim() === '') add('url', 'ERR_BLANK', "can't be blank")
  else if (url === undefined) add('url', 'ERR_INVALID', 'is not a valid URL')
  if (events.length === 0) add('events', 'ERR_BLANK', "can't be blank")
  else if (!events.every(isWebhookEvent)) add('events', 'ERR_INVALID', 'is invalid')
  else if (!known.every(name => maySubscribe(moderator, name)))
    add('events', 'ERR_RIGHTS', "cannot include events you don't have the rights to")
  if (url === undefined || errors.length > 0) throw fieldErrors(...errors)
  return { url, events: known }
}

/** All webhooks, newest first. */
export const listWebhooks = (runner: Runner): Promise<Webhook[]> => runner.run(all, {})

export const findWebhook = (runner: Runner, id: Id): Promise<Webhook | undefined> => runner.one(find, { id })

/** @throws ApiError validation if there is none, because another webhook has its URL */
async function stored(runner: Runner, made: { id: Id } | undefined): Promise<Webhook> {
  const webhook = made && (await findWebhook(runner, made.id))
  if (!webhook) throw fieldErrors({ field: 'url', code: 'ERR_TAKEN', message: 'has already been taken' })
  return webhook
}

/**
 * Creates an enabled webhook with a new secret.
 * @param moderator null: the operator
 * @throws ApiError validation, also for events that the moderator's role does not permit
 */
export async function createWebhook(runner: Runner, moderator: Viewer | null, draft: WebhookDraft): Promise<Webhook> {
  const parsed = parseDraft(moderator, draft)
  return stored(runner, await runner.one(create, { creator: moderator?.id ?? null, ...parsed, secret: newSecret() }))
}

/** Changes URL and events. @throws ApiError validation, as `createWebhook` */
export async function updateWebhook(
  runner: Runner,
  moderator: Viewer | null,
  id: Id,
  draft: WebhookDraft,
): Promise<Webhook> {
  const parsed = parseDraft(moderator, draft)
  return stored(runner, await runner.one(update, { moderator: moderator?.id ?? null, id, ...parsed }))
}

/** A disabled webhook receives nothing. Returns false if nothing changes. */
export const setWebhookEnabled = async (
  runner: Runner,
  moderator: Viewer | null,
  id: Id,
  enabled: boolean,
): Promise<boolean> => (await runner.one(enable, { moderator: moderator?.id ?? null, id, enabled })) !== undefined

/**
 * Replaces the secret, also for waiting deliveries; returns the new one, or undefined without a
 * webhook.
 */
export async function rotateWebhookSecret(
  runner: Runner,
  moderator: Viewer | null,
  id: Id,
): Promise<string | undefined> {
  const secret = newSecret()
  return (await runner.one(rotate, { moderator: moderator?.id ?? null, id, secret })) && secret
}

/** Returns false if there is no such webhook. */
export const deleteWebhook = async (runner: Runner, moderator: Viewer | null, id: Id): Promise<boolean> =>
  (await runner.one(remove, { moderator: moderator?.id ?? null, id })) !== undefined
