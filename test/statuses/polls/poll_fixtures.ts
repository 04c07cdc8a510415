import { entity, type Entity } from '../status_fixtures.ts'
import { sql, type Person } from '../../support/people.ts'
import type { TestServer } from '../../support/server.ts'

/** The poll in a status' entity. */
export const pollOf = (status: unknown): Entity => entity(entity(status)['poll'])

/** Posts a status with a poll and returns both entities. */
export async function ask(
  who: Person,
  options: string[],
  more: Record<string, unknown> = {},
): Promise<{ status: Entity; poll: Entity }> {
  const status = await who.postStatus('which?', { poll: { options, expires_in: 3600, ...more } })
  return { status, poll: pollOf(status) }
}

/** Moves the end of a poll to now, and runs its job. */
export const endNow = (server: TestServer, poll: string): Promise<unknown> =>
  sql(
    server,
    `with ended as (update polls set expires_at = now() - interval '1 second' where id = $1::bigint returning id)
     select graphile_worker.add_job(
       'polls.end', json_build_object('poll_id', ended.id::text), job_key => 'polls.end:' || ended.id
     ) from ended`,
    [poll],
  )
