import type { Id } from '../../core/id.ts'
import { c, query, type Row, type Runner } from '../../platform/database/index.ts'
import { enqueue, idIn, job, memberOf } from '../../platform/jobs/index.ts'
import { sendFromJob } from '../../platform/mail/index.ts'
import type { Services } from '../../platform/services.ts'
import { composeMailing, idsOf, readContent, type MailingSubject } from './compose.ts'
import { findMember } from './member.ts'
import { sendMailing } from './send.ts'

const START = {
  terms: query('instance/mailings/start_terms', { moderator: c.nullable(c.id), terms: c.id }, { id: c.id }),
  announcement: query(
    'instance/mailings/start_announcement',
    { moderator: c.nullable(c.id), announcement: c.id },
    { id: c.id },
  ),
}
const findProgress = query(
  'instance/mailings/progress',
  { terms: c.nullable(c.id), announcement: c.nullable(c.id) },
  { created_at: c.timestamp, sent_count: c.integer, finished_at: c.nullable(c.timestamp) },
)
const count = query('instance/mailings/count_recipients', {}, { amount: c.integer })

/** The progress of the e-mails to all members. */
export type MailingProgress = Row<typeof findProgress.columns>

/** Undefined until they have begun. */
export const findMailingProgress = (runner: Runner, subject: MailingSubject): Promise<MailingProgress | undefined> =>
  runner.one(findProgress, idsOf(subject))

/** How many members get an e-mail that is sent to all of them now. */
export const countMailingRecipients = async (runner: Runner): Promise<number> =>
  (await runner.one(count, {}))?.amount ?? 0

/**
 * Starts the e-mails to all members with a confirmed address, with an entry in the audit log.
 * @param moderator null: the operator; the caller checks the permission
 * @returns false unless the subject is published and has not been sent before
 */
export const startMailing = (
  { database }: Services,
  moderator: Id | null,
  { kind, id }: MailingSubject,
): Promise<boolean> =>
  database.transaction(async transaction => {
    const started =
      kind === 'terms'
        ? await transaction.one(START.terms, { moderator, terms: id })
        : await transaction.one(START.announcement, { moderator, announcement: id })
    if (started) await enqueue(transaction, sendMailing, { mailing: started.id })
    return started !== undefined
  })

interface Test {
  readonly subject: MailingSubject
  readonly user: Id
}

function parseTest(payload: unknown): { kind: MailingSubject['kind']; id: Id; user: Id } {
  const kind = memberOf(payload, 'kind')
  if (kind !== 'terms' && kind !== 'announcement') throw new Error('the payload has no kind')
  return { kind, id: idIn(payload, 'id'), user: idIn(payload, 'user') }
}

/** Sends the e-mail about a subject to one user only. */
const sendMailingTest = job<ReturnType<typeof parseTest>, Services>(
  'member_mailings.test',
  parseTest,
  async ({ user, ...subject }, services) => {
    const { database } = services
    const [content, recipient] = await Promise.all([readContent(database, subject), findMember(database, user)])
    if (content && recipient) await sendFromJob(services, composeMailing(services, subject, content, recipient))
  },
)

/**
 * Enqueues the e-mail about a subject to one user only.
 * @returns false unless it is published
 */
export async function testMailing({ database }: Services, { subject, user }: Test): Promise<boolean> {
  if (!(await readContent(database, subject))) return false
  await enqueue(database, sendMailingTest, { ...subject, user })
  return true
}

export const testJobs = [sendMailingTest]
