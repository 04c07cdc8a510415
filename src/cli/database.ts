import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Command } from 'commander'
import type { Connection } from '../platform/database/index.ts'
import { createLogger } from '../core/logger.ts'
import { parseDatabaseUrl } from '../core/service_urls.ts'
import { explainQuery } from './explain.ts'
import { CliError } from './cli_error.ts'
import type { CliContext } from './cli_context.ts'

async function migrate(context: CliContext): Promise<void> {
  const applied: string[] = []
  let functions = 0
  const recordChange = (fields: object, message: string): void => {
    if (message === 'applied a migration' && 'name' in fields) applied.push(String(fields.name))
    if (message === 'applied functions' && 'names' in fields && Array.isArray(fields.names))
      functions = fields.names.length
  }
  const warnings = createLogger({ logLevel: 'warn' }, { write: line => context.warn(line.trimEnd()) })
  await context.migrate({ ...warnings, debug: recordChange })
  for (const name of applied) context.print(`applied ${name}`)
  const isCurrent = applied.length + functions === 0
  context.print(
    isCurrent
      ? 'OK, the database is up to date'
      : `OK, applied ${applied.length} migrations and ${functions} files of functions`,
  )
}

/** The environment variables for libpq's programs, so that no password is in the process list. */
function libpqVariables(connection: Connection): Record<string, string> {
  const { host, port, user, password, database } = connection
  return {
    ...(host === undefined ? {} : { PGHOST: host }),
    ...(port === undefined ? {} : { PGPORT: String(port) }),
    ...(user === undefined ? {} : { PGUSER: user }),
    ...(typeof password === 'string' ? { PGPASSWORD: password } : {}),
    ...(database === undefined ? {} : { PGDATABASE: database }),
  }
}

/** Parameters of a URL that only the driver knows. */
const DRIVER_PARAMETERS = [
  'uselibpqcompat',
  'statement_timeout',
  'lock_timeout',
  'idle_in_transaction_session_timeout',
  'query_timeout',
]

/**
 * The URL without its password, which is passed in the environment, and without the parameters that
 * only the driver knows.
 */
function splitUrl(url: string): { url: string; variables: Record<string, string> } {
  const parsed = parseDatabaseUrl(url)
  if (!parsed) throw new CliError('DATABASE_URL is not the URL of a database')
  const password = parsed.searchParams.get('password') ?? decodeURIComponent(parsed.password)
  parsed.password = ''
  for (const name of ['password', ...DRIVER_PARAMETERS]) parsed.searchParams.delete(name)
  return { url: parsed.href, variables: password === '' ? {} : { PGPASSWORD: password } }
}

async function psql(context: CliContext, args: readonly string[]): Promise<void> {
  const connection = await context.connection()
  const { connectionString } = connection
  const { url, variables } =
    connectionString === undefined
      ? { url: undefined, variables: libpqVariables(connection) }
      : splitUrl(connectionString)
  const child = spawn('psql', [...(url === undefined ? [] : ['-d', url]), ...args], {
    stdio: 'inherit',
    env: { ...context.environment, ...variables },
  })
  // Ctrl-C in psql cancels the query, not this process.
  const ignore = (): void => undefined
  process.removeAllListeners('SIGINT').on('SIGINT', ignore)
  try {
    const [code] = (await once(child, 'exit')) as [number | null]
    if (code !== 0) throw new CliError(`psql ended with status ${code ?? 'unknown'}`)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      throw new CliError('There is no psql on this system: install the PostgreSQL client', { cause: error })
    }
    throw error
  } finally {
    process.off('SIGINT', ignore)
  }
}

/** The commands on the database. */
export function addDatabase(program: Command, context: CliContext): void {
  program
    .command('migrate')
    .description('migrate the database; the server does so at startup')
    .action(() => migrate(context))
  program
    .command('psql [arguments...]')
    .description("open the server's database in psql, even an embedded one")
    .passThroughOptions()
    .allowUnknownOption()
    .action((given: string[]) => psql(context, given))
  program
    .command('explain <name> [parameters]')
    .description('show the plans of a statement in sql/queries, such as statuses/post; it is rolled back')
    .addHelpText(
      'after',
      '\nParameters are a JSON object by name or a list in order; missing ones are null:\n  explain oauth/find_viewer \'{"user": "1"}\'',
    )
    .action((name: string, parameters?: string) => explainQuery(context, name, parameters))
}
