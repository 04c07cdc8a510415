import { readConfig, type Config } from '../core/config.ts'
import type { Environment } from '../core/environment.ts'
import { probePort } from '../platform/http/port.ts'

/** The configuration with the number of a free port when PORT is 0, so that every URL names it. */
export async function withFreePort(config: Config, env: Environment): Promise<Config> {
  if (config.port !== 0) return config
  return readConfig({ ...env, PORT: String(await probePort(config.bind, 0)) })
}
