import type { Connection } from '../database/index.ts'

/**
 * The connection as a URL, which is what graphile-worker takes.
 * @throws for what a URL cannot say: a password that is a function, a TLS context
 */
export function connectionUrl(connection: Connection): string {
  if (connection.connectionString !== undefined) return connection.connectionString
  const { host, port, user, password, database, ssl } = connection
  if (typeof password === 'function' || (ssl !== undefined && ssl !== false)) {
    throw new Error('Jobs need a database connection that can be written as a URL')
  }
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries({ host, port, user, password })) {
    if (value !== undefined) parameters.set(name, String(value))
  }
  return `postgresql://localhost/${encodeURIComponent(database ?? user ?? '')}?${parameters.toString()}`
}
