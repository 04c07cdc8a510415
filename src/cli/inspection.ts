import { Option, type Command } from 'commander'
import type { Config } from '../core/config.ts'
import { CONFIG_TABLE } from '../core/config_table.ts'
import { findUnknownSettings } from '../core/unknown_settings.ts'
import { c, query } from '../platform/database/index.ts'
import type { LoggedEvent } from '../platform/events/index.ts'
import type { AnyOperation } from '../platform/http/operation.ts'
import { flag, wholeNumber } from './flag.ts'
import type { CliContext } from './cli_context.ts'

const lastEvents = query('cli/last_events', { limit: c.integer }, { event: c.json<LoggedEvent>(), at: c.timestamp })

const toList = <T>(item: T | readonly T[]): readonly T[] => (Array.isArray(item) ? item : [item as T])

/** The configuration's member for an environment variable: `databaseUrl` for `DATABASE_URL`. */
const toMemberName = (variable: string): string =>
  variable.toLowerCase().replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** The values of settings whose names are not those of the configuration's members. */
const OF_OTHER_NAMES: Readonly<Record<string, (config: Config) => unknown>> = {
  MAX_FOLLOWS_THRESHOLD: ({ followThreshold }) => followThreshold,
  MAX_FOLLOWS_RATIO: ({ followRatio }) => followRatio,
  CACHE_MB: ({ cacheBytes }) => cacheBytes / 1_000_000,
  DISABLE_AUTOMATIC_SWITCHING_TO_APPROVED_REGISTRATIONS: ({ registrationsStayOpen }) => registrationsStayOpen,
  DISABLE_FOLLOWERS_SYNCHRONIZATION: ({ followersSynchronization }) => !followersSynchronization,
  IP_RETENTION_PERIOD: ({ ipRetentionSeconds }) => ipRetentionSeconds,
  SESSION_RETENTION_PERIOD: ({ sessionRetentionSeconds }) => sessionRetentionSeconds,
  MAX_SESSION_ACTIVATIONS: ({ maxSessions }) => maxSessions,
  HCAPTCHA_SITE_KEY: ({ hcaptcha }) => hcaptcha?.siteKey,
  HCAPTCHA_SECRET_KEY: ({ hcaptcha }) => hcaptcha?.secretKey,
  HCAPTCHA_VERIFY_URL: ({ hcaptcha }) => hcaptcha?.verifyUrl,
}

/** A URL without its password, which a parameter may have, too; not each one needs a host. */
const maskPassword = (value: string): string =>
  value
    .replace(/^([a-z][a-z\d+.-]*:\/\/[^/?#@:]*:)[^/?#]*@/i, '$1********@')
    .replace(/([?&]password=)[^&#]*/g, '$1********')

function showValue(value: unknown): string {
  if (value === undefined) return ''
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  return typeof value === 'string' ? maskPassword(value) : JSON.stringify(value)
}

async function showConfig(context: CliContext, options: { table?: boolean }): Promise<void> {
  if (options.table) {
    context.print('| Variable | Default | Meaning |')
    context.print('| --- | --- | --- |')
    for (const { variable, default: fallback, meaning } of CONFIG_TABLE) {
      context.print(`| \`${variable}\` | ${fallback} | ${meaning} |`)
    }
    return
  }
  const config: Config = await context.config()
  // The file that ENV_FILE names is none of the configuration, but where that was read from.
  const members = new Map<string, unknown>(Object.entries({ ...config, envFile: context.environment['ENV_FILE'] }))
  const rows = CONFIG_TABLE.map(({ variable, meaning, secret }) => {
    const read = OF_OTHER_NAMES[variable]
    const value = showValue(read ? read(config) : members.get(toMemberName(variable))) || '-'
    return [variable, secret && value !== '-' ? '********' : value, meaning]
  })
  context.printTable(['VARIABLE', 'VALUE', 'MEANING'], rows)
  const { readEnvironment } = await import('../core/env_file.ts')
  for (const { variable, nearest } of findUnknownSettings(readEnvironment(context.environment)))
    context.warn(`There is no setting ${variable}; the nearest is ${nearest}`)
}

const toRows = ({ method, path, auth, scopes, summary }: AnyOperation): string[][] =>
  toList(path).flatMap(one => toList(method).map(verb => [verb, one, auth, scopes.join(' '), summary]))

async function showRoutes(context: CliContext): Promise<void> {
  const { operations } = await import('../app/operations.ts')
  const rows = operations.flatMap(toRows)
  rows.sort(([verbA = '', a = ''], [verbB = '', b = '']) => (a < b ? -1 : a > b ? 1 : verbA < verbB ? -1 : 1))
  context.printTable(['METHOD', 'PATH', 'AUTH', 'SCOPES', 'SUMMARY'], rows)
}

/** `txid.id kind actor=1 status=2 {…}`; streams resume at the position. */
function formatEvent(event: LoggedEvent): string {
  const about = (['actor', 'account', 'status', 'object'] as const).flatMap(name => {
    const id = event[`${name}_id`]
    return id === null ? [] : [`${name}=${id}`]
  })
  const data = JSON.stringify(event.data)
  return [`${event.txid}.${event.id}`, event.kind, ...about, ...(data === '{}' ? [] : [data])].join(' ')
}

interface EventOptions {
  number: number
  kind?: string
  json?: boolean
  follow: boolean
}

async function showEvents(context: CliContext, options: EventOptions): Promise<void> {
  const { database, events } = await context.services()
  const { kind } = options
  const show = (event: LoggedEvent): void => {
    if (kind === undefined || event.kind === kind || event.kind.startsWith(`${kind}.`)) {
      context.print(options.json ? JSON.stringify(event) : formatEvent(event))
    }
  }
  if (options.number > 0) {
    for (const { event } of await database.run(lastEvents, { limit: options.number })) show(event)
  }
  if (!options.follow) return
  // Runs until Ctrl-C.
  await new Promise<void>(resolve => events.log$.subscribe({ next: show, complete: resolve }))
}

/** The commands that show the configuration, the operations and the event log. */
export function addInspection(program: Command, context: CliContext): void {
  flag(program.command('config'), '--table', 'print the Markdown table of the documentation')
    .description('show the configuration of this environment, without secrets')
    .action((options: { table?: boolean }) => showConfig(context, options))
  program
    .command('routes')
    .description('list every operation: method, path, authorization, scopes')
    .action(() => showRoutes(context))
  flag(program.command('events'), '--json', 'print one JSON object per line')
    .description('follow the event log live; exit with Ctrl-C')
    .option('-n, --number <n>', 'start with the last n events', wholeNumber(0, 100_000), 0)
    .option('-k, --kind <kind>', 'only this kind, such as status.created, or a family such as status')
    .addOption(new Option('--no-follow', 'exit after the listed events'))
    .action((options: EventOptions) => showEvents(context, options))
}
