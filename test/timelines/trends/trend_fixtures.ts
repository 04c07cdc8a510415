import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Test } from 'tap'
import { runHere } from '../../cli/command.ts'
import { person, sql, type Person } from '../../support/people.ts'
import { startServer, type ServerAddress, type TestServer } from '../../support/server.ts'

const DISCOVERABLE = { account: { discoverable: true } }

/**
 * A server of the test's own with these settings, and the operator's command line on its database.
 */
export interface Place {
  readonly server: TestServer
  ctl(...given: string[]): Promise<string>
}

export async function openPlace(t: Test, settings: Record<string, unknown> = {}): Promise<Place> {
  const server = await startServer(t, { settings })
  const folder = await mkdtemp(path.join(tmpdir(), 'millrace-trends-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const environment = { DATABASE_URL: server.databaseUrl, DATA_DIR: folder, PUBLIC_URL: server.config.publicUrl }
  return {
    server,
    async ctl(...given) {
      const { code, out, err } = await runHere(given, environment)
      if (code !== 0) throw new Error(`${given.join(' ')}: ${err}`)
      return out
    },
  }
}

/** Discoverable accounts. */
export const crowd = (server: ServerAddress, size: number): Promise<Person[]> =>
  Promise.all(Array.from({ length: size }, (_, index) => person(server, `crowd${index}`, DISCOVERABLE)))

/** Stores a public status of an earlier day and hour, with a stored hashtag. */
export async function saidBefore(
  server: ServerAddress,
  author: Person,
  tag: string,
  ago: string,
  language = 'en',
): Promise<string> {
  const [made] = await sql(
    server,
    `with said as (
       insert into statuses (id, account_id, visibility, language, created_at)
       values (snowflake_at(now() - $3::interval), $1, 'public', $4, now() - $3::interval) returning id
     )
     insert into status_tags (tag_id, status_id)
     select t.id, said.id from said, tags t where t.name = $2
     returning status_id::text as id`,
    [author.id, tag, ago, language],
  )
  return String(made?.['id'])
}
