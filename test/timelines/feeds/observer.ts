import { concatMap, from, Subject, takeUntil } from 'rxjs'
import type { Test } from 'tap'
import { feeds, keyOf, type FeedUpdate, type FeedName } from '../../../src/timelines/feeds/index.ts'
import { createLogger } from '../../../src/core/logger.ts'
import { openServices } from '../../../src/app/server.ts'
import type { Services } from '../../../src/platform/services.ts'
import type { TestServer } from '../../support/server.ts'

/**
 * The services of another process on the server's database, which learns of the server's changes
 * only through the log.
 */
export async function otherProcess(t: Test, server: TestServer): Promise<Services> {
  const open: { close(): void | Promise<void> }[] = []
  const logger = createLogger({ ...server.config, logLevel: 'silent' })
  const { services } = await openServices(
    server.config,
    { connectionString: server.databaseUrl },
    logger,
    part => (open.push(part), part),
  )
  t.after(async () => {
    for (const part of open.toReversed()) await part.close()
  })
  return services
}

/** The messages of a feed's stream, as a socket would receive them. */
export interface Observer {
  /**
   * Waits until the log has reached everything committed before this call, and returns the messages
   * until then.
   */
  told(): Promise<FeedUpdate[]>
}

const MARK = 'test.mark'

/** Observes a feed from now on: messages of events that were committed before are left out. */
export async function observe(t: Test, services: Services, name: FeedName): Promise<Observer> {
  const all = feeds(services)
  const told: FeedUpdate[] = []
  const stopped$ = new Subject<void>()
  const marks = new Map<string, () => void>()
  const release = all.watch(name)
  services.events.log$
    .pipe(
      concatMap(event => {
        const isConcerned = all.concerned(event).some(one => keyOf(one.name) === keyOf(name))
        return from(isConcerned ? all.decide(event, name) : Promise.resolve([])).pipe(
          concatMap(announcements => {
            told.push(...announcements)
            if ('mark' in event.data) marks.get(String(event.data.mark))?.()
            return []
          }),
        )
      }),
      takeUntil(stopped$),
    )
    .subscribe()
  t.after(() => {
    stopped$.next()
    release()
  })
  await all.page(name, { limit: 1 })
  let count = 0
  async function readMessages(): Promise<FeedUpdate[]> {
    const mark = `${keyOf(name)} ${(count += 1)}`
    const come = new Promise<void>(resolve => marks.set(mark, resolve))
    await services.database.withClient(client =>
      client.query('insert into events (kind, data) values ($1, $2)', [MARK, { mark }]),
    )
    services.events.readOn()
    await come
    return told.splice(0)
  }
  // An open transaction of another test can hold the log back, so that it began before them.
  await readMessages()
  return { told: readMessages }
}
