import { Option, type Command } from 'commander'
import { peersOf, visitServer, type VisitedServer } from '../federation/index.ts'
import { c, query } from '../platform/database/index.ts'
import type { CliContext } from './cli_context.ts'
import { eachAtOnce } from './each_at_once.ts'
import { concurrencyUpTo, flag } from './flag.ts'
import { openProgress } from './progress.ts'

const findDomains = query('cli/known_domains', {}, { domain: c.nullable(c.text) })

const FORMATS = ['summary', 'domains', 'json'] as const

interface CrawlOptions {
  format: (typeof FORMATS)[number]
  concurrency: number
}

const SECOND_MS = 1000

/** The known servers; of a server that is given, those that it knows. */
async function domainsOf(session: CliContext, start: string | undefined): Promise<string[]> {
  const services = await session.services()
  if (start !== undefined) return [...new Set([start.toLowerCase(), ...(await peersOf(services, start.toLowerCase()))])]
  return (await services.database.run(findDomains, {})).flatMap(({ domain }) => domain ?? [])
}

function show(session: CliContext, format: CrawlOptions['format'], found: ReadonlyMap<string, VisitedServer>): void {
  if (format === 'domains') for (const domain of found.keys()) session.print(domain)
  if (format === 'json')
    session.print(JSON.stringify(Object.fromEntries([...found].map(([domain, { instance }]) => [domain, instance]))))
  if (format !== 'summary') return
  const sum = (count: (server: VisitedServer) => number): number =>
    [...found.values()].reduce((total, server) => total + count(server), 0)
  session.print(`Total servers: ${found.size}`)
  session.print(`Total registered: ${sum(({ users }) => users)}`)
  session.print(`Total active last week: ${sum(({ active }) => active)}`)
  session.print(`Total joined last week: ${sum(({ joined }) => joined)}`)
}

/** `domains crawl`: asks known servers how many people they have. */
async function crawl(session: CliContext, start: string | undefined, options: CrawlOptions): Promise<void> {
  const services = await session.services()
  const started = performance.now()
  const domains = await domainsOf(session, start)
  const progress = openProgress(session, 'servers', domains.length)
  const visited = new Map<string, VisitedServer | undefined>()
  await eachAtOnce(domains, options.concurrency, async domain => {
    visited.set(domain, await visitServer(services, domain))
    progress.add(1)
  })
  progress.end()
  const found = new Map(
    domains.flatMap(domain => {
      const server = visited.get(domain)
      return server ? [[domain, server] as const] : []
    }),
  )
  if (options.format === 'summary') {
    const seconds = Math.round((performance.now() - started) / SECOND_MS)
    session.print(`Visited ${domains.length} domains, ${domains.length - found.size} failed (${seconds}s elapsed)`)
  }
  show(session, options.format, found)
}

export function addCrawl(group: Command, session: CliContext): void {
  const command = group
    .command('crawl [start]')
    .description('ask the known servers, or a server and those that it knows, how many people they have')
    .addOption(new Option('-f, --format <format>', 'what is printed').choices(FORMATS).default('summary'))
    .option('-c, --concurrency <n>', 'how many at once', concurrencyUpTo(200), 50)
  flag(command, '-x, --exclude-suspended', 'accepted for compatibility: suspended servers are never asked')
  command.action((start: string | undefined, options: CrawlOptions) => crawl(session, start, options))
}
