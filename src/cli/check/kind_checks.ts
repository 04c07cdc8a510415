import { jobs } from '../../app/jobs.ts'
import { c, query, type Database } from '../../platform/database/index.ts'
import { EVENTS } from '../../platform/events/catalogue.ts'
import type { CheckRun } from './finding.ts'

const unknownEventsQuery = query(
  'cli/check/events',
  { kinds: c.texts },
  { kind: c.text, amount: c.integer, ahead: c.integer },
)
const unknownJobsQuery = query('cli/check/jobs', { kinds: c.texts }, { kind: c.text, amount: c.integer })

/** Reports events of kinds that this version does not know, and events from the future. */
export async function checkEvents(database: Database, { report }: CheckRun): Promise<void> {
  const kinds = Object.keys(EVENTS)
  for (const { kind, amount, ahead } of await database.run(unknownEventsQuery, { kinds })) {
    const problem = kinds.includes(kind)
      ? `${ahead} events of the kind ${kind} are from the future: the clock was wrong`
      : `${amount} events are of the kind ${kind}, which this version does not know`
    report({ check: 'events', id: kind, problem, mended: false })
  }
}

/** Reports queued jobs of kinds that this version does not run. */
export async function checkJobs(database: Database, { report }: CheckRun): Promise<void> {
  for (const { kind, amount } of await database.run(unknownJobsQuery, { kinds: jobs.map(job => job.name) }))
    report({
      check: 'jobs',
      id: kind,
      problem: `${amount} jobs are of the kind ${kind}, which this version does not run`,
      mended: false,
    })
}
