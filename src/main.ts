#!/usr/bin/env node
import { prepareRuntime } from './app/runtime.ts'

prepareRuntime()
const { InvalidConfig, readConfig } = await import('./core/config.ts')
const { createLogger } = await import('./core/logger.ts')
const { start } = await import('./app/server.ts')
const { onStopSignals } = await import('./core/signals.ts')
const { missingCopies } = await import('./app/type_stripping/copies.js')

/** sysexits.h: EX_CONFIG. */
const BAD_CONFIG = 78

try {
  const config = readConfig(process.env)
  const logger = createLogger(config)
  if (missingCopies() > 0) {
    logger.warn(
      { files: missingCopies() },
      'Node.js strips the types of the source: the start is slower and takes 27 MB more; `npm run build` avoids it',
    )
  }
  const startedAt = performance.now()
  const server = await start(config, logger)
  const stop = (signal: NodeJS.Signals): void => {
    logger.info({ signal }, 'stopping')
    void server.stop().then(() => {
      logger.info({}, 'stopped')
      logger.flush()
      process.exit(0)
    })
  }
  onStopSignals(stop, () => process.exit(1))
  logger.info({ url: server.url, durationMs: Math.round(performance.now() - startedAt) }, 'listening')
  process.stderr.write(`
Millrace listens on http://${config.bind}:${config.port} and calls itself ${server.url}

Make an account:  npm run --silent ctl -- accounts create NAME --email NAME@example.com --confirmed --role Owner
or sign up at     ${server.url}/auth/sign_up
Then point any Mastodon client at ${server.url}. Ctrl-C stops the server.

`)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(error instanceof InvalidConfig ? BAD_CONFIG : 1)
}
