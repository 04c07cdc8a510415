import type { Config } from '../core/config.ts'
import type { Database } from './database/index.ts'
import type { EventLog } from './events/index.ts'
import type { AddressPolicy } from './http/address_policy.ts'
import type { Jobs } from './jobs/index.ts'
import type { Logger } from '../core/logger.ts'
import type { Mail } from './mail/index.ts'
import type { Metrics } from './metrics/index.ts'
import type { TokenStore } from './http/token_store.ts'
import type { Outgoing } from './http_client/index.ts'
import type { Secrets } from './secrets/index.ts'
import type { Settings } from './settings/index.ts'
import type { Storage } from './storage/index.ts'

/** The parts of a started server that operations, jobs and streams use. */
export interface Services {
  readonly config: Config
  readonly logger: Logger
  readonly metrics: Metrics
  readonly database: Database
  readonly events: EventLog
  readonly settings: Settings
  readonly secrets: Secrets
  readonly tokens: TokenStore
  readonly ipBlocks: AddressPolicy
  readonly jobs: Jobs
  readonly mail: Mail
  readonly storage: Storage
  readonly outgoing: Outgoing
  /** Registers a function that runs when the server stops; the last registered runs first. */
  onClose(close: () => void | Promise<void>): void
}

/**
 * A value of which each started server has its own, such as a cache. It is created at first use.
 * `make` subscribes to the events it needs and registers its clean-up with `services.onClose`.
 */
export function perServer<T>(make: (services: Services) => T): (services: Services) => T {
  const instances = new WeakMap<Services['database'], { part: T }>()
  return services => {
    const known = instances.get(services.database)
    if (known) return known.part
    const fresh = make(services)
    instances.set(services.database, { part: fresh })
    return fresh
  }
}
