import { c, query, type Runner } from '../../database/index.ts'
import { parseId, type Id } from '../../../core/id.ts'
import { enqueue, job } from '../../jobs/index.ts'
import { chooseLanguage, translatorFor, type TextKey } from '../../i18n/index.ts'
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
  /** More values, by the keys of texts: those in the language of the user. */
  readonly texts: Readonly<Record<string, string>>
  /** Replaces the user's address, such as by the one before a change. */
  readonly email: string | null
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

const textsIn = (value: unknown): Record<string, string> =>
  Object.fromEntries(Object.entries(isRecord(value) ? value : {}).map(([name, text]) => [name, String(text)]))

function parseNotice(payload: unknown): Notice {
  const record = isRecord(payload) ? payload : {}
  const user = typeof record['user'] === 'string' ? parseId(record['user']) : undefined
  const { kind, email } = record
  if (user === undefined || !isNotice(kind)) throw new Error('invalid payload of an e-mail')
  return {
    user,
    kind,
    values: textsIn(record['values']),
    texts: textsIn(record['texts']),
    email: typeof email === 'string' ? email : null,
  }
}

/** Sends a notice. Nothing is sent to deleted users. */
export const deliverNotice = job<Notice, Services>(
  'letters.notice',
  parseNotice,
  async ({ user, kind, values, texts, email }, services) => {
    const found = await services.database.one(findRecipient, { user })
    if (!found) return
    const recipient = { ...found, email: email ?? found.email }
    const link = `${services.config.publicUrl}${NOTICES[kind]}`
    const translator = translatorFor(chooseLanguage(found.locale, services.config.defaultLocale))
    const translated = Object.entries(texts).map(([name, key]) => [name, translator.has(key) ? translator.t(key) : key])
    const all = { ...values, ...Object.fromEntries(translated) }
    await sendFromJob(services, composeEmail(services, kind, recipient, link, all))
  },
)

/**
 * Enqueues an e-mail to a user in the transaction that causes it; it is sent after the commit, and
 * retried while the mail server fails.
 * @param options.values the values in its texts
 * @param options.texts more values, by the keys of texts
 * @param options.email replaces the user's address
 */
export const sendNotice = (
  runner: Runner,
  user: Id,
  kind: NoticeKind,
  {
    values = {},
    texts = {},
    email = null,
  }: {
    values?: Readonly<Record<string, string>>
    texts?: Readonly<Record<string, TextKey>>
    email?: string | null
  } = {},
): Promise<void> => enqueue(runner, deliverNotice, { user, kind, values, texts, email })
