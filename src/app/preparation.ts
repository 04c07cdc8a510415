import type { Config } from '../core/config.ts'
import { PROTOCOL, type PrepareResponse, type PrepareOrder, type Prepared } from './prepare.ts'
import { prepareStart } from './runtime.ts'

/**
 * A process that prepares a rolling restart and ends: it has the code that the next workers will
 * have. It loads all of it, so that code which does not load is found here.
 */

prepareStart()
const { InvalidConfig, readConfig } = await import('../core/config.ts')
const { readEnvironment } = await import('../core/env_file.ts')
const { createLogger } = await import('../core/logger.ts')
const { findUnknownSettings } = await import('../core/unknown_settings.ts')
const { connectionTo } = await import('../platform/database/reach.ts')
const { requireWebClient } = await import('../web/client/index.ts')
const { checkSurroundings } = await import('./check_surroundings.ts')
const { prepareDatabase } = await import('./server.ts')

/** @throws InvalidConfig for changes that only a new start can make */
function refuseMoves(config: Config, { config: present, isEmbedded }: PrepareOrder): void {
  // systemd's watchdog asks at the place of the first start.
  if (config.port !== present.port || config.bind !== present.bind)
    throw new InvalidConfig('PORT or BIND has changed: stop the server, then start it')
  if (isEmbedded !== (config.databaseUrl === undefined))
    throw new InvalidConfig('DATABASE_URL changes from or to the embedded database: stop the server, then start it')
  if (isEmbedded && config.dataDir !== present.dataDir)
    throw new InvalidConfig('DATA_DIR of the embedded database has changed: stop the server, then start it')
}

async function prepare(order: PrepareOrder): Promise<Prepared> {
  const { config: present, isEmbedded } = order
  const environment = readEnvironment(process.env)
  // A free port was chosen at the first start.
  const isFree = Number(environment['PORT'] ?? '') === 0 && environment['PORT'] !== undefined
  const config = readConfig(isFree ? { ...environment, PORT: String(present.port) } : environment)
  const logger = createLogger(config)
  for (const unknown of findUnknownSettings(environment))
    logger.warn(unknown, 'a variable looks like a setting, but there is no such setting')
  refuseMoves(config, order)
  await checkSurroundings(config, [present.port, present.healthPort])
  await requireWebClient(config)
  const connection = isEmbedded ? order.connection : connectionTo(config.databaseUrl)
  await prepareDatabase(connection, logger, { waitSeconds: config.databaseWaitSeconds, whileServing: true })
  logger.flush()
  return { config, connection }
}

async function respond(order: PrepareOrder): Promise<PrepareResponse> {
  if (order.protocol !== PROTOCOL)
    return { refused: 'this release takes over only by a full restart: stop the server, then start it' }
  try {
    return { prepared: await prepare(order) }
  } catch (error) {
    return { refused: error instanceof Error ? error.message : String(error) }
  }
}

process.once('message', (order: PrepareOrder) => {
  void respond(order).then(answered => process.send?.(answered, () => process.exit(0)))
})
// They reach the whole process group; the parent decides.
for (const signal of ['SIGINT', 'SIGHUP', 'SIGUSR2'] as const) process.on(signal, () => undefined)
process.on('disconnect', () => process.exit(1))
