import { sql, type Person } from '../../support/people.ts'
import type { TestServer } from '../../support/server.ts'
import { entity, type Entity } from '../status_fixtures.ts'

const HOUR_MS = 3_600_000

/** A time so many hours from now, in ISO 8601. */
export const inHours = (hours: number): string => new Date(Date.now() + hours * HOUR_MS).toISOString()

/** Schedules a status for an hour from now. */
export async function schedule(who: Person, more: Record<string, unknown> = {}): Promise<Entity> {
  const response = await who.post('/api/v1/statuses', { status: 'later', scheduled_at: inHours(1), ...more })
  if (response.status !== 200) throw new Error(`not scheduled: ${response.status} ${response.text}`)
  return entity(response.json)
}

/** Moves the time of a scheduled status to now, and runs its job. */
export const publishNow = (server: TestServer, id: string): Promise<unknown> =>
  sql(
    server,
    `with due as (
       update scheduled_statuses set scheduled_at = now() - interval '1 second' where id = $1::bigint returning id
     )
     select graphile_worker.add_job(
       'scheduled_statuses.publish', json_build_object('id', due.id::text),
       job_key => 'scheduled_statuses.publish:' || due.id
     ) from due`,
    [id],
  )
