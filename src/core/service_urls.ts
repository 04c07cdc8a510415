import type { EnvironmentReader } from './environment.ts'

/*
 * The URLs of the database and of the mail server contain passwords, so error messages never quote
 * them: a password with an unescaped `/` or `#` ends up in other parts of the URL.
 */

const ESCAPE = 'in the password, write / ? # @ % and spaces as %2F %3F %23 %40 %25 and %20'

/** Parameters of libpq that the driver knows, and the driver's own. */
const DATABASE_PARAMETERS: ReadonlySet<string> = new Set([
  'host',
  'port',
  'user',
  'password',
  'application_name',
  'fallback_application_name',
  'client_encoding',
  'options',
  'sslmode',
  'sslcert',
  'sslkey',
  'sslrootcert',
  'sslnegotiation',
  'connect_timeout',
  'keepalives',
  'statement_timeout',
  'lock_timeout',
  'idle_in_transaction_session_timeout',
  'query_timeout',
])
/** Modes as in libpq's documentation; `prefer` and `allow` would hide that TLS is missing. */
const TLS_MODES = ['disable', 'require', 'verify-ca', 'verify-full'] as const
/** Parameters that name files. */
export const TLS_FILES = ['sslrootcert', 'sslcert', 'sslkey'] as const

const MAIL_PARAMETERS: ReadonlySet<string> = new Set([
  'requireTLS',
  'ignoreTLS',
  'name',
  'authMethod',
  'localAddress',
  'tls.rejectUnauthorized',
  'tls.servername',
  'tls.minVersion',
  'tls.ciphers',
])
const MAIL_FLAGS = ['requireTLS', 'ignoreTLS', 'tls.rejectUnauthorized'] as const

const isDecodable = (text: string): boolean => {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

/** The URL of a service; undefined when it is none, or its parts are not where they belong. */
function parseService(value: string, mostSegments: number): URL | undefined {
  if (/\s/.test(value) || value.includes('#')) return undefined
  if (!URL.canParse(value)) return undefined
  const url = new URL(value)
  const isWhole = [url.username, url.password, url.hostname, url.pathname].every(isDecodable)
  const segments = url.pathname.split('/').filter(part => part !== '').length
  const isStray = url.pathname.includes('@') || url.hostname.includes(',')
  return isWhole && segments <= mostSegments && !isStray ? url : undefined
}

/** Whether a parameter is unknown or occurs twice. */
const hasStray = (url: URL, known: ReadonlySet<string>): boolean => {
  const names = [...url.searchParams.keys()]
  return names.some(name => !known.has(name)) || new Set(names).size < names.length
}

/** The URL as a `URL`; without a host, as with a socket in `host=`, one stands in for it. */
export const parseDatabaseUrl = (value: string): URL | undefined =>
  parseService(value.replace(/^(postgres(?:ql)?:\/\/[^/?]*@)\//, '$1localhost/'), 1)

function databaseUrlError(value: string): string | undefined {
  if (!/^postgres(ql)?:\/\//.test(value)) return 'must start with postgres:// or postgresql://'
  const url = parseDatabaseUrl(value)
  if (!url) return `must be postgres://USER:PASSWORD@HOST:PORT/DATABASE; ${ESCAPE}`
  if (hasStray(url, DATABASE_PARAMETERS))
    return `has a parameter after ? that is unknown; known are ${[...DATABASE_PARAMETERS].join(', ')}; ${ESCAPE}`
  const mode = url.searchParams.get('sslmode')
  if (mode !== null && !TLS_MODES.some(known => known === mode)) return `needs a sslmode of ${TLS_MODES.join(', ')}`
  if (mode === 'verify-ca' && !url.searchParams.has('sslrootcert')) return 'needs sslrootcert with sslmode=verify-ca'
  const port = url.searchParams.get('port')
  if (port !== null && !/^\d{1,5}$/.test(port)) return 'needs a port that is a number'
  return undefined
}

export function readDatabaseUrl(reader: EnvironmentReader): string | undefined {
  const value = reader.text('DATABASE_URL')
  const error = value === undefined ? undefined : databaseUrlError(value)
  if (error !== undefined) reader.addError(`DATABASE_URL ${error}`)
  return value
}

function mailUrlError(value: string): string | undefined {
  if (!/^smtps?:\/\//.test(value)) return 'must start with smtp:// or smtps://'
  const url = parseService(value, 0)
  if (!url || url.hostname === '') return `must be smtp://USER:PASSWORD@HOST:PORT; ${ESCAPE}`
  if (hasStray(url, MAIL_PARAMETERS))
    return `has a parameter after ? that is unknown; known are ${[...MAIL_PARAMETERS].join(', ')}`
  const flag = MAIL_FLAGS.find(name => !['true', 'false', null].includes(url.searchParams.get(name)))
  if (flag !== undefined) return `needs ${flag} to be true or false`
  if (url.port === '465' && url.protocol === 'smtp:') return 'must start with smtps:// for port 465'
  return undefined
}

export function readMailUrl(reader: EnvironmentReader): string | undefined {
  const value = reader.text('SMTP_URL')
  const error = value === undefined ? undefined : mailUrlError(value)
  if (error !== undefined) reader.addError(`SMTP_URL ${error}`)
  return value
}

/** Where a database is, without user and password: `db.example:5432`, or its socket's folder. */
export function placeOfDatabase(value: string): string {
  const url = parseDatabaseUrl(value)
  if (!url) return 'the database'
  const host = url.searchParams.get('host') ?? decodeURIComponent(url.hostname)
  const port = url.searchParams.get('port') ?? (url.port === '' ? '5432' : url.port)
  return `${host === '' ? 'localhost' : host}:${port}`
}
