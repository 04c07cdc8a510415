import pg from 'pg'
import { firstValueFrom, filter, scan, timeout, type Observable } from 'rxjs'
import type { Test } from 'tap'
import { openDatabase, type Database } from '../../../src/platform/database/index.ts'
import type { LoggedEvent } from '../../../src/platform/events/index.ts'
import { openEventLog, type EventLog, type EventLogOptions } from '../../../src/platform/events/index.ts'
import { createTestDatabase } from '../../support/database.ts'

/** Collects log messages with their level. */
export interface Lines {
  readonly lines: string[]
  readonly logger: EventLogOptions['logger']
}

export function keepLines(): Lines {
  const lines: string[] = []
  const keep = (level: string) => (_fields: object, message: string) => void lines.push(`${level}: ${message}`)
  return { lines, logger: { info: keep('info'), warn: keep('warn'), error: keep('error') } }
}

export interface Opened extends Lines {
  readonly url: string
  readonly database: Database
  readonly log: EventLog
}

/** An event log on its own database, closed at the end of the test. */
export async function openLog(t: Test, options: Partial<EventLogOptions> = {}): Promise<Opened> {
  const { url } = await createTestDatabase(t)
  return openLogOn(t, url, options)
}

export async function openLogOn(t: Test, url: string, options: Partial<EventLogOptions> = {}): Promise<Opened> {
  const kept = keepLines()
  const database = openDatabase({ connection: { connectionString: url }, poolSize: 4 })
  t.after(() => database.close())
  const log = await openEventLog({ database, logger: kept.logger, retryMs: 20, ...options })
  t.after(() => log.close())
  return { ...kept, url, database, log }
}

/** A separate session, like that of another process. Ended at the end of the test. */
export async function connect(t: Test, url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {}) // tests cut connections
  await client.connect()
  t.after(() => client.end())
  return client
}

/** Writes one event and returns its id. */
export async function write(client: pg.ClientBase | pg.Pool, kind = 'test.done', account = '1'): Promise<string> {
  const { rows } = await client.query<{ id: string }>(
    'insert into events (kind, account_id) values ($1, $2) returning id::text',
    [kind, account],
  )
  return rows[0]?.id ?? ''
}

/** The next `count` events, in order of arrival. */
export function take(events$: Observable<LoggedEvent>, count: number, waitMs = 10_000): Promise<LoggedEvent[]> {
  return firstValueFrom(
    events$.pipe(
      scan((seen: LoggedEvent[], event) => [...seen, event], []),
      filter(seen => seen.length >= count),
      timeout({ first: waitMs }),
    ),
  )
}

export const idsOf = (events: readonly LoggedEvent[]): string[] => events.map(event => event.id)
