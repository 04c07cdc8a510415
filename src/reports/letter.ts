import { c, query } from '../database/index.ts'
import { parseId, type Id } from '../id.ts'
import { job } from '../jobs/index.ts'
import { composeLetter } from '../letters/index.ts'
import type { Services } from '../services.ts'

const findLetter = query(
  'reports/letter',
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

/** Writes to one member of the staff about a new report. */
export const mailReport = job<Payload, Services>('reports:mail', parsePayload, async ({ user, report }, services) => {
  const row = await services.database.one(findLetter, { user, report })
  if (!row) return
  const { email, username, locale, ...facts } = row
  const link = `${services.config.publicUrl}/@${row.target}`
  await services.mail.send(
    composeLetter(services, 'new_report', { email, username, locale }, link, { ...facts, report }),
  )
})

function parsePayload(payload: unknown): Payload {
  const given = typeof payload === 'object' && payload !== null ? payload : {}
  const user = 'user' in given && typeof given.user === 'string' ? parseId(given.user) : undefined
  const report = 'report' in given && typeof given.report === 'string' ? parseId(given.report) : undefined
  if (user === undefined || report === undefined) throw new Error('the payload names no user or report')
  return { user, report }
}
