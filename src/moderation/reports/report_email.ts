import { c, query } from '../../platform/database/index.ts'
import type { Id } from '../../core/id.ts'
import { idIn, job } from '../../platform/jobs/index.ts'
import { sendFromJob } from '../../platform/mail/index.ts'
import { composeEmail } from '../../platform/mail/messages/index.ts'
import { chooseLanguage, translatorFor } from '../../platform/i18n/index.ts'
import type { Services } from '../../platform/services.ts'

const findEmailFacts = query(
  'moderation/reports/email_facts',
  { user: c.id, report: c.id },
  {
    email: c.text,
    username: c.text,
    locale: c.nullable(c.text),
    reporter: c.text,
    target: c.text,
    category: c.text,
    comment: c.text,
    statuses: c.integer,
  },
)

interface Payload {
  readonly user: Id
  readonly report: Id
}

const readPayload = (payload: unknown): Payload => ({ user: idIn(payload, 'user'), report: idIn(payload, 'report') })

/** Sends the e-mail about a new report to one member of the staff. */
export const sendReportEmail = job<Payload, Services>(
  'reports:mail',
  readPayload,
  async ({ user, report }, services) => {
    const row = await services.database.one(findEmailFacts, { user, report })
    if (!row) return
    const { email, username, locale, ...facts } = row
    const translator = translatorFor(chooseLanguage(locale, services.config.defaultLocale))
    const key = `reports.category.${facts.category}`
    const category = translator.has(key) ? translator.t(key) : facts.category
    const link = `${services.config.publicUrl}/admin/reports/${report}`
    await sendFromJob(
      services,
      composeEmail(services, 'new_report', { email, username, locale }, link, { ...facts, category, report }),
    )
  },
)
