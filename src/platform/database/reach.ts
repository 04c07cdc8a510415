import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { InvalidConfig } from '../../core/config.ts'
import { parseDatabaseUrl, placeOfDatabase } from '../../core/service_urls.ts'
import type { Connection } from './database.ts'
import { isUnavailable } from './failures.ts'

const RETRY_MS = 500
const ATTEMPT_MS = 5_000

/** The database cannot be reached; the message is one line for the operator. */
export class DatabaseAway extends Error {
  override readonly name = 'DatabaseAway'
}

/** SQLSTATEs that mean that DATABASE_URL is wrong (PostgreSQL, appendix A). */
const REFUSALS: Record<string, string> = {
  '28000': 'invalid_authorization_specification',
  '28P01': 'invalid_password',
  '3D000': 'invalid_catalog_name',
  '42501': 'insufficient_privilege',
}
/** The host is unreachable or cannot be resolved yet, as while containers start. */
const NOT_THERE = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN'])
const BAD_TLS = /certificate|self.signed|CERT_|altname|does not support SSL|wrong version number|SSL routines/i
const BAD_PASSWORD = /^SASL|password must be a string/

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

/** The driver's messages name the host and the user, never the password. */
const messageOf = (error: unknown): string =>
  error instanceof AggregateError
    ? error.errors.map(one => (one instanceof Error ? one.message : String(one))).join('; ')
    : error instanceof Error
      ? error.message
      : String(error)

const isRefusal = (error: unknown): boolean =>
  codeOf(error) in REFUSALS ||
  BAD_TLS.test(`${codeOf(error)} ${messageOf(error)}`) ||
  BAD_PASSWORD.test(messageOf(error))

const isAway = (error: unknown): boolean =>
  isUnavailable(error) || NOT_THERE.has(codeOf(error)) || /timeout/i.test(messageOf(error))

/**
 * The connection for DATABASE_URL. Its TLS modes mean the same as in libpq's documentation, which
 * the driver follows only when configured: `require` encrypts, and verifies with `sslrootcert`.
 */
export function connectionTo(databaseUrl: string | undefined): Connection {
  if (databaseUrl === undefined) return {}
  const hasMode = parseDatabaseUrl(databaseUrl)?.searchParams.has('sslmode') === true
  return { connectionString: hasMode ? `${databaseUrl}&uselibpqcompat=true` : databaseUrl }
}

async function tryToConnect(connection: Connection): Promise<void> {
  const client = new pg.Client({
    ...connection,
    connectionTimeoutMillis: ATTEMPT_MS,
    application_name: 'millrace start',
  })
  client.on('error', () => {}) // the attempt fails with the same error
  try {
    await client.connect()
  } finally {
    await client.end().catch(() => undefined)
  }
}

/**
 * Waits until the database accepts connections: when a machine starts, it may come up after this
 * server.
 * @throws InvalidConfig when waiting cannot help: a wrong password, database, name or certificate
 * @throws DatabaseAway when the database cannot be reached within `waitSeconds`
 */
export async function waitForDatabase(
  connectionString: string,
  waitSeconds: number,
  logger: { warn(fields: object, message: string): void },
): Promise<void> {
  const place = placeOfDatabase(connectionString)
  const until = performance.now() + waitSeconds * 1000
  for (let tries = 0; ; tries += 1) {
    try {
      await tryToConnect({ connectionString })
      return
    } catch (error) {
      const reason = messageOf(error)
      if (isRefusal(error)) throw new InvalidConfig(`DATABASE_URL: ${place} refuses: ${reason}`, { cause: error })
      if (!isAway(error)) throw error
      if (performance.now() >= until) {
        const waited = waitSeconds > 0 ? ` after ${waitSeconds} s` : ''
        throw new DatabaseAway(`DATABASE_URL: no database answers at ${place}${waited}: ${reason}`, { cause: error })
      }
      if (tries === 0) logger.warn({ place, reason, waitSeconds }, 'the database is not up yet; waiting for it')
      await delay(RETRY_MS)
    }
  }
}
