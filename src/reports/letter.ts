import { c, query } from '../database/index.ts'
import { parseId, type Id } from '../id.ts'
import { job } from '../jobs/index.ts'
import { html } from '../pages/index.ts'
import type { Services } from '../services.ts'

const findLetter = query(
  'reports/letter',
  { user: c.id, report: c.id },
  {
    email: c.text,
    username: c.text,
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
export const mailReport = job<Payload, Services>(
  'reports:mail',
  parsePayload,
  async (payload, { database, mail, settings }) => {
    const row = await database.one(findLetter, payload)
    if (!row) return
    const site = settings.get('site_title')
    const what = `@${row.reporter} has reported @${row.target} on ${site}.`
    const facts = [`Report: ${payload.report}`, `Category: ${row.category}`, `Posts: ${row.statuses}`]
    const said = row.comment === '' ? [] : [`Comment: ${row.comment}`]
    await mail.send({
      to: row.email,
      subject: `New report for ${site} (#${payload.report})`,
      text: [`Hello ${row.username},`, what, [...facts, ...said].join('\n')].join('\n\n') + '\n',
      html: html`<p>Hello ${row.username},</p>
        <p>${what}</p>
        <ul>
          ${[...facts, ...said].map(fact => html`<li>${fact}</li>`)}
        </ul>`.text,
    })
  },
)

function parsePayload(payload: unknown): Payload {
  const given = typeof payload === 'object' && payload !== null ? payload : {}
  const user = 'user' in given && typeof given.user === 'string' ? parseId(given.user) : undefined
  const report = 'report' in given && typeof given.report === 'string' ? parseId(given.report) : undefined
  if (user === undefined || report === undefined) throw new Error('the payload names no user or report')
  return { user, report }
}
