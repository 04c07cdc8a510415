import { c, query } from '../platform/database/index.ts'
import type { Id } from '../core/id.ts'
import { idIn, job } from '../platform/jobs/index.ts'
import { sendFromJob } from '../platform/mail/index.ts'
import { composeEmail } from '../platform/mail/messages/index.ts'
import type { Services } from '../platform/services.ts'

const findLetter = query(
  'moderation/appeal_letter',
  { appeal: c.id },
  {
    email: c.text,
    username: c.text,
    locale: c.nullable(c.text),
    strike_id: c.id,
    approved: c.boolean,
    created_at: c.timestamp,
  },
)

/** Sends the e-mail about the decision on an appeal. */
export const sendAppealEmail = job<{ appeal: Id }, Services>(
  'moderation.appeal_email',
  payload => ({ appeal: idIn(payload, 'appeal') }),
  async ({ appeal }, services) => {
    const row = await services.database.one(findLetter, { appeal })
    if (!row) return
    const { email, username, locale } = row
    const link = `${services.config.publicUrl}/disputes/strikes/${row.strike_id}`
    const kind = row.approved ? 'appeal_approved' : 'appeal_rejected'
    const date = row.created_at.toISOString().slice(0, 10)
    await sendFromJob(services, composeEmail(services, kind, { email, username, locale }, link, { date }))
  },
)
