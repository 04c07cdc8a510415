import type { Id } from '../../core/id.ts'
import { c, query, type Runner } from '../../platform/database/index.ts'
import { enqueue } from '../../platform/jobs/index.ts'
import { sendReportEmail } from './report_email.ts'

export const addReport = query(
  'moderation/reports/add',
  {
    reporter: c.id,
    target: c.id,
    application: c.nullable(c.id),
    category: c.text,
    comment: c.text,
    statuses: c.ids,
    collections: c.ids,
    rules: c.nullable(c.ids),
    forwarded: c.nullable(c.boolean),
    forwarded_to: c.texts,
  },
  { id: c.id, mailed: c.ids, events: c.events },
)

/** E-mails about a new report, to the users that `addReport` names. */
export async function mailStaff(
  transaction: Runner,
  { id, mailed }: { readonly id: Id; readonly mailed: readonly Id[] },
): Promise<void> {
  for (const user of mailed) await enqueue(transaction, sendReportEmail, { user, report: id })
}
