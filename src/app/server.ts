import type { Config } from '../core/config.ts'
import { runInTimeSlices } from '../core/time_slices.ts'
import { openDatabase, readStatements, type Connection } from '../platform/database/index.ts'
import { releaseReserve, startEmbedded } from '../platform/database/embedded/index.ts'
import { migrate } from '../platform/database/migrate.ts'
import { warnOfChangedCollation } from '../platform/database/collation.ts'
import { refuseSharedConnections } from '../platform/database/pooler.ts'
import { connectionTo, waitForDatabase } from '../platform/database/reach.ts'
import { openEventLog } from '../platform/events/index.ts'
import {
  addFederationMetrics,
  SELF_DESTRUCT_JOBS,
  openRemoteLookup,
  requireValidConfirmation,
  startSendingDeletions,
} from '../federation/index.ts'
import { useRemoteLookup } from '../accounts/index.ts'
import { openHealthPort } from '../instance/health/port.ts'
import { openRequestLimits } from '../platform/http/request_limits.ts'
import { listen } from '../platform/http/server.ts'
import { openIpBlocks } from '../moderation/ip_blocks/index.ts'
import { jobs } from './jobs.ts'
import { checkSurroundings } from './check_surroundings.ts'
import { addBackupMetrics, isForFolder } from './scheduled_backup.ts'
import { addSiteMetrics } from './site_metrics.ts'
import { openAllJobs } from './open_all_jobs.ts'
import { migrateJobs } from '../platform/jobs/index.ts'
import { createLogger, type Logger } from '../core/logger.ts'
import { countedMail, openMail } from '../platform/mail/index.ts'
import { openTools } from '../media/attachments/index.ts'
import type { WorkerMetrics } from '../platform/metrics/worker_metrics.ts'
import { createMetrics, DATABASE_RESTARTS } from '../platform/metrics/index.ts'
import { openTokens } from '../auth/oauth/token_store.ts'
import { operations } from './operations.ts'
import { openOutgoing } from '../platform/http_client/index.ts'
import { readSecrets } from '../platform/secrets/index.ts'
import type { Services } from '../platform/services.ts'
import { openSettings } from '../platform/settings/index.ts'
import { openStorage, removeAbandonedFolders } from '../platform/storage/index.ts'
import { streams } from '../timelines/streams/index.ts'
import { createWebClient, requireWebClient } from '../web/client/index.ts'
import { openProcesses, type Restarted } from './cluster.ts'

/** A started server. */
export interface Server {
  /** The URL that browsers and clients use. */
  readonly url: string
  /**
   * Stops in reverse order of the start: rejects new requests, finishes running ones, then closes
   * the database.
   */
  stop(): Promise<void>
}

/** A server with its database. */
export interface Started extends Server {
  readonly connection: Connection
  /**
   * Replaces the serving processes by new ones with the current code and configuration, without
   * interrupting requests and streams. One restart runs at a time.
   * @throws RestartError when the present processes continue to serve
   */
  restart(): Promise<Restarted>
}

/** A server in this process. */
export interface Serving extends Server {
  readonly services: Services
  /** Stops when others have taken over the port: see `HttpServer.retire`. */
  retire(): Promise<void>
}

interface Part {
  close(): void | Promise<void>
}

const REQUEST_GRACE_MS = 10_000
/** Longer than an idle connection stays open; slow transfers are cut after it. */
const RETIRE_MS = 60_000
const HOUR_MS = 3_600_000

const none = (): number => 0

/**
 * A stack of opened parts, closed in reverse order; a part that fails to close does not stop the
 * others from closing.
 */
function createStack(logger: Logger) {
  const open: Part[] = []
  let closing: Promise<void> | undefined
  async function closeAll(): Promise<void> {
    for (let last = open.pop(); last; last = open.pop()) {
      try {
        await last.close()
      } catch (error) {
        logger.error({ err: error }, 'a component could not be closed')
      }
    }
  }
  return {
    use<P extends Part>(opened: P): P {
      open.push(opened)
      return opened
    },
    close: () => (closing ??= closeAll()),
  }
}

/**
 * Starts the configured server: connects to or starts the database, migrates it and serves, in this
 * process or, with several workers, in child processes.
 */
export async function start(config: Config, logger: Logger = createLogger(config)): Promise<Started> {
  await checkSurroundings(config)
  await requireWebClient(config)
  const stack = createStack(logger)
  try {
    const embedded =
      config.databaseUrl === undefined
        ? stack.use(
            await startEmbedded({
              dataDir: config.dataDir,
              log: (message, fields = {}) => logger.debug(fields, message),
              logger,
              keepsReserve: true,
            }),
          )
        : undefined
    const connection = embedded?.connection ?? connectionTo(config.databaseUrl)
    await prepareDatabase(connection, logger, { waitSeconds: config.databaseWaitSeconds })
    await removeAbandonedFolders({ config })
    const databaseRestarts = embedded?.restarts ?? none
    const processes = stack.use(
      await openProcesses({ config, connection, logger, databaseRestarts, isEmbedded: embedded !== undefined }, () =>
        serve(config, connection, logger, { databaseRestarts }),
      ),
    )
    return { url: config.publicUrl, connection, stop: () => stack.close(), restart: processes.restart }
  } catch (error) {
    await stack.close()
    throw error
  }
}

export interface PrepareOptions {
  /** How long to wait for an external database that is not up yet. */
  readonly waitSeconds?: number
  /** Whether processes of another release use the database meanwhile. */
  readonly whileServing?: boolean
}

/**
 * Migrates the schema; the job queue's first, because migrations enqueue jobs.
 * @throws InvalidConfig when the database refuses the configuration, or a pooler between the server
 * and the database shares connections
 */
export async function prepareDatabase(
  connection: Connection,
  logger: Logger,
  { waitSeconds = 0, whileServing = false }: PrepareOptions = {},
): Promise<void> {
  if (connection.connectionString !== undefined) {
    await waitForDatabase(connection.connectionString, waitSeconds, logger)
    await refuseSharedConnections(connection)
    await warnOfChangedCollation(connection, logger)
  }
  await migrateJobs(connection, logger)
  const started = performance.now()
  const log = (message: string, fields: object = {}): void => logger.debug(fields, message)
  const { applied, functions } = await migrate(connection, log, { whileServing })
  if (applied.length + functions.length === 0) return
  const durationMs = Math.round(performance.now() - started)
  logger.info({ migrations: applied.length, functions: functions.length, durationMs }, 'database migrated')
}

/** The processes around a server process. */
export interface Surroundings {
  /** The other processes that share the port, if any. */
  readonly workerMetrics?: WorkerMetrics
  /** How often the embedded database was restarted, if this process knows. */
  readonly databaseRestarts?: () => number
}

/** Serves requests on a migrated database. */
export async function serve(
  config: Config,
  connection: Connection,
  logger: Logger,
  { workerMetrics, databaseRestarts = none }: Surroundings = {},
): Promise<Serving> {
  const stack = createStack(logger)
  try {
    const { services, startJobs } = await openServices(config, connection, logger, stack.use, workerMetrics)
    if (!workerMetrics) services.metrics.gauge(...DATABASE_RESTARTS, databaseRestarts)
    requireValidConfirmation(services)
    addBackupMetrics(services)
    addSiteMetrics(services)
    addFederationMetrics(services)
    useRemoteLookup(services, openRemoteLookup(services))
    const limits = stack.use(openRequestLimits(services))
    const sharedPort = workerMetrics !== undefined || config.workers > 1
    openTools(services)
    await startJobs()
    await startSendingDeletions(services)
    // Registered twice: its sockets end before HTTP does, and it also ends if HTTP fails to start.
    const streaming = stack.use(streams(services))
    const http = await listen({
      services,
      operations,
      limits,
      fallback: createWebClient(services)?.respond,
      // Without its socket routes, a closed server refuses them as all else.
      extend: config.selfDestruct === undefined ? streaming.extend : () => undefined,
      sharedPort,
    })
    stack.use({ close: () => http.close(REQUEST_GRACE_MS) })
    stack.use(streaming)
    stack.use({ close: () => http.stopListening() })
    void readAllStatements(logger)
    // Ends first, so that load balancers stop sending requests here.
    const health = config.healthPort === 0 ? undefined : stack.use(await openHealthPort(services, sharedPort))
    return {
      url: config.publicUrl,
      services,
      stop: () => stack.close(),
      async retire() {
        await health?.close()
        await http.retire()
        await streaming.retire()
        await http.emptied(RETIRE_MS)
        await stack.close()
      },
    }
  } catch (error) {
    await stack.close()
    throw error
  }
}

/** Not before the server listens, since it takes a twentieth of the start. */
async function readAllStatements(logger: Logger): Promise<void> {
  try {
    const count = await runInTimeSlices(readStatements())
    logger.debug({ count }, 'all statements were read')
  } catch (error) {
    logger.warn({ err: error }, 'a statement could not be read')
  }
}

/** Gives back the space in reserve; the disk of a database elsewhere is not ours. */
const freeSpace = (config: Config, logger: Logger) => (): void => {
  if (config.databaseUrl === undefined && releaseReserve(config.dataDir))
    logger.error({}, 'the disk is full: the reserve is in use, free some space')
}

const isForClosedServer = ({ name }: { readonly name: string }): boolean =>
  SELF_DESTRUCT_JOBS.some(pattern => pattern.test(name))

/** The jobs that this process runs; it leaves the others to those that do. */
const jobsFor = ({ backupDir, selfDestruct }: Config) =>
  jobs.filter(job => isForFolder(backupDir, job) && (selfDestruct === undefined || isForClosedServer(job)))

/** The parts of a server without HTTP, which the command line uses too. */
export async function openServices(
  config: Config,
  connection: Connection,
  logger: Logger,
  use: <P extends Part>(opened: P) => P,
  workerMetrics?: WorkerMetrics,
): Promise<{ services: Services; startJobs: () => Promise<void> }> {
  const metrics = createMetrics(workerMetrics)
  const onError = (name: string) => (error: unknown) => {
    metrics.errors.inc({ part: name })
    logger.warn({ err: error, part: name }, 'recovered from an error')
  }
  const database = use(
    openDatabase({
      connection,
      poolSize: config.databasePool,
      answerMs: config.databaseAnswerSeconds * 1000,
      onError: onError('database'),
      onFullDisk: freeSpace(config, logger),
      onSlowQuery(name, durationMs) {
        metrics.slowQueries.inc({ query: name })
        logger.warn({ query: name, durationMs: Math.round(durationMs) }, 'slow query')
      },
    }),
  )
  const events = use(await openEventLog({ database, logger, keepMs: config.eventRetentionHours * HOUR_MS }))
  const settings = use(await openSettings(database, events.local$, { ...config, onError: onError('settings') }))
  const secrets = await readSecrets(database)
  const tokens = use(openTokens({ database, config }, events.local$, onError('tokens')))
  const ipBlocks = use(await openIpBlocks(database, events.local$, onError('ip_blocks')))
  const mail = countedMail(openMail({ ...config, from: config.mailFrom, logger }), outcome =>
    metrics.mails.inc({ outcome }),
  )
  const storage = openStorage(config)
  const outgoing = use(openOutgoing(config))
  const running = openAllJobs<Services>({
    connection,
    database,
    jobs: jobsFor(config),
    logger,
    cron: config.cron,
    answerMs: config.databaseAnswerSeconds * 1000,
  })
  const services: Services = {
    config,
    logger,
    metrics,
    database,
    events,
    settings,
    secrets,
    tokens,
    ipBlocks,
    mail,
    storage,
    outgoing,
    jobs: running,
    onClose: close => void use({ close }),
  }
  metrics.gauge('millrace_database_connections', 'Connections of the pool', () => database.statistics().total)
  metrics.gauge('millrace_database_waiting', 'Requests waiting for a connection', () => database.statistics().waiting)
  metrics.gauge('millrace_events_read', 'Events read from the log', () => events.statistics().eventsRead, 'max')
  metrics.gauge(
    'millrace_events_lag_ms',
    'Age of the last event when it was read',
    () => events.statistics().lagMs,
    'max',
  )
  metrics.gauge('millrace_events_reconnects', 'Times that LISTEN was lost', () => events.statistics().reconnects)
  metrics.gauge('millrace_jobs_given_up', 'Jobs that failed in their last try', () => running.statistics().givenUp)
  return {
    services,
    async startJobs() {
      use(running)
      await running.start(services)
    },
  }
}
