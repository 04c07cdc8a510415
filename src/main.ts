#!/usr/bin/env node
import { finishStart, prepareStart, shortenLookups } from './app/runtime.ts'

prepareStart()
shortenLookups(process.env)
const { InvalidConfig, readConfig } = await import('./core/config.ts')
const { readEnvironment } = await import('./core/env_file.ts')
const { createLogger } = await import('./core/logger.ts')
const { findUnknownSettings } = await import('./core/unknown_settings.ts')
const { withFreePort } = await import('./app/free_port.ts')
const { openControl } = await import('./app/control.ts')
const { start } = await import('./app/server.ts')
const { showFirstSteps } = await import('./app/first_steps.ts')
const { NewerDatabaseError } = await import('./platform/database/migrate.ts')
const { openSystemd } = await import('./app/systemd.ts')
const { RestartError } = await import('./app/restart_error.ts')
const { onStopSignals } = await import('./core/signals.ts')
const { missingCopies } = await import('./app/type_stripping/copies.js')

/** sysexits.h: EX_CONFIG. Starting again does not help. */
const BAD_CONFIG = 78

try {
  const environment = readEnvironment(process.env)
  const config = await withFreePort(readConfig(environment), environment)
  const logger = createLogger(config)
  let server: Awaited<ReturnType<typeof start>> | undefined
  const restart = async () => {
    if (!server) throw new RestartError('the server is still starting')
    try {
      return await server.restart()
    } catch (error) {
      logger.error({ err: error }, 'the restart failed; the present processes serve on')
      throw error
    }
  }
  process.on('SIGUSR2', () => void restart().catch(() => undefined))
  for (const unknown of findUnknownSettings(environment))
    logger.warn(unknown, 'a variable looks like a setting, but there is no such setting')
  if (missingCopies() > 0) {
    logger.warn(
      { files: missingCopies() },
      'Node.js strips the types of the source: the start is slower and takes 27 MB more; `npm run build` avoids it',
    )
  }
  const startedAt = performance.now()
  const systemd = openSystemd(process.env, config, logger)
  const starting = start(config, logger)
  let isStopping = false
  let control: Awaited<ReturnType<typeof openControl>> | undefined
  const stop = (signal: NodeJS.Signals): void => {
    isStopping = true
    logger.info({ signal }, 'stopping')
    void systemd.stopping()
    control?.close()
    // The embedded PostgreSQL can be stopped when the start is over; another one needs nothing.
    const stopped = server || config.databaseUrl === undefined ? starting.then(running => running.stop()) : undefined
    void Promise.resolve(stopped).then(() => {
      logger.info({}, 'stopped')
      logger.flush()
      process.exit(0)
    })
  }
  onStopSignals(stop, () => process.exit(1))
  const started = (server = await starting)
  if (!isStopping) {
    finishStart()
    control = await openControl(config.dataDir, logger, { restart })
    // Scripts send SIGHUP, because other programs reload on it; a closed terminal sends it too.
    process.on('SIGHUP', signal => {
      if (process.stdout.isTTY) stop(signal)
      else logger.info({ signal }, 'ignored a signal: a changed environment needs a restart')
    })
    logger.info({ url: started.url, durationMs: Math.round(performance.now() - startedAt) }, 'listening')
    await systemd.ready()
    await showFirstSteps(config, started, logger, process.stderr)
  }
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(error instanceof InvalidConfig || error instanceof NewerDatabaseError ? BAD_CONFIG : 1)
}
