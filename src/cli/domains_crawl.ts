import { Option, type Command } from 'commander'
import { fetchPeers, fetchInstance, type RemoteInstance } from '../federation/index.ts'
import { c, query } from '../platform/database/index.ts'
import type { CliContext } from './cli_context.ts'
import { forEachConcurrently } from '../core/for_each_concurrently.ts'
import { concurrencyUpTo, flag } from './flag.ts'
import { domainArgument } from './domain_argument.ts'
import { openProgress } from './progress.ts'

const findDomains = query('cli/known_domains', {}, { domain: c.nullable(c.text) })

const FORMATS = ['summary', 'domains', 'json'] as const

interface CrawlOptions {
  format: (typeof FORMATS)[number]
  concurrency: number
}

const SECOND_MS = 1000

/** The known servers, or the start server with its peers. */
async function listDomains(context: CliContext, start: string | undefined): Promise<string[]> {
  const first = start === undefined ? undefined : domainArgument(start)
  const services = await context.services()
  if (first !== undefined) return [...new Set([first, ...(await fetchPeers(services, first))])]
  return (await services.database.run(findDomains, {})).flatMap(({ domain }) => domain ?? [])
}

function show(context: CliContext, format: CrawlOptions['format'], servers: ReadonlyMap<string, RemoteInstance>): void {
  if (format === 'domains') for (const domain of servers.keys()) context.print(domain)
  if (format === 'json')
    context.print(JSON.stringify(Object.fromEntries([...servers].map(([domain, { instance }]) => [domain, instance]))))
  if (format !== 'summary') return
  const sum = (count: (server: RemoteInstance) => number): number =>
    [...servers.values()].reduce((total, server) => total + count(server), 0)
  context.print(`Total servers: ${servers.size}`)
  context.print(`Total registered: ${sum(({ users }) => users)}`)
  context.print(`Total active last week: ${sum(({ active }) => active)}`)
  context.print(`Total joined last week: ${sum(({ joined }) => joined)}`)
}

/** `domains crawl`: queries the user counts of servers. */
async function crawl(context: CliContext, start: string | undefined, options: CrawlOptions): Promise<void> {
  const services = await context.services()
  const started = performance.now()
  const domains = await listDomains(context, start)
  const progress = openProgress(context, 'servers', domains.length)
  const visited = new Map<string, RemoteInstance | undefined>()
  await forEachConcurrently(domains, options.concurrency, async domain => {
    visited.set(domain, await fetchInstance(services, domain))
    progress.add(1)
  })
  progress.end()
  const servers = new Map(
    domains.flatMap(domain => {
      const server = visited.get(domain)
      return server ? [[domain, server] as const] : []
    }),
  )
  if (options.format === 'summary') {
    const seconds = Math.round((performance.now() - started) / SECOND_MS)
    context.print(`Visited ${domains.length} domains, ${domains.length - servers.size} failed (${seconds}s elapsed)`)
  }
  show(context, options.format, servers)
}

export function addCrawl(group: Command, context: CliContext): void {
  const command = group
    .command('crawl [start]')
    .description('query the user counts of known servers, or of a server and its peers')
    .addOption(new Option('-f, --format <format>', 'output format').choices(FORMATS).default('summary'))
    .option('-c, --concurrency <n>', 'maximum concurrency', concurrencyUpTo(200), 50)
  flag(command, '-x, --exclude-suspended', 'accepted for compatibility: suspended servers are never queried')
  command.action((start: string | undefined, options: CrawlOptions) => crawl(context, start, options))
}
