import { c, query, type Runner } from '../../database/index.ts'
import { parseId, type Id } from '../../../core/id.ts'
import { enqueue, job } from '../../jobs/index.ts'
import type { Services } from '../../services.ts'
import { sendFromJob } from '../send_from_job.ts'
import { composeEmail } from './compose.ts'
import { isNotice, NOTICES, type NoticeKind } from './kind.ts'

const findRecipient = query(
  'platform/mail/messages/recipient',
  { user: c.id },
  { email: c.text, locale: c.nullable(c.text), username: c.text },
)

interface Notice {
  readonly user: Id
  readonly kind: NoticeKind
  readonly values: Readonly<Record<string, string>>
  /** Replaces the user's address, such as by the one before a change. */
  readonly email: string | null
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

function parseNotice(payload: unknown): Notice {
  const record = isRecord(payload) ? payload : {}
  const user = typeof record['user'] === 'string' ? parseId(record['user']) : undefined
  const { kind, email } = record
  if (user === undefined || !isNotice(kind)) throw new Error('invalid payload of an e-mail')
  const values = Object.entries(isRecord(record['values']) ? record['values'] : {})
  return {
    user,
    kind,
    values: Object.fromEntries(values.map(([name, value]) => [name, String(value)])),
    email: typeof email === 'string' ? email : null,
  }
}

/** Sends a notice. Nothing is sent to deleted users. */
export const deliverNotice = job<Notice, Services>(
  'letters.notice',
  parseNotice,
  async ({ user, kind, values, email }, services) => {
    const found = await services.database.one(findRecipient, { user })
    if (!found) return
    const recipient = { ...found, email: email ?? found.email }
    const link = `${services.config.publicUrl}${NOTICES[kind]}`
    await sendFromJob(services, composeEmail(services, kind, recipient, link, values))
  },
)

/**
 * Enqueues an e-mail to a user in the transaction that causes it; it is sent after the commit, and
 * retried while the mail server fails.
 * @param options.values the values in its texts
 * @param options.email replaces the user's address
 */
export const sendNotice = (
  runner: Runner,
  user: Id,
  kind: NoticeKind,
  options: { values?: Readonly<Record<string, string>>; email?: string } = {},
): Promise<void> =>
  enqueue(runner, deliverNotice, { user, kind, values: options.values ?? {}, email: options.email ?? null })
