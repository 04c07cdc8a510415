import { readFile } from 'node:fs/promises'
import { Option, type Command } from 'commander'
import { removeAccount } from '../accounts/deletion/index.ts'
import { addRule } from '../administration/domain_rules/add_rule.ts'
import { allowsCsv, MAX_ROWS, parseRules, rulesCsv } from '../administration/domain_rules/csv.ts'
import {
  accountsToPurge,
  allowDomain,
  blockDomain,
  changeDomainRule,
  disallowDomain,
  domainsNotAllowed,
  findDomainAllows,
  listDomainRules,
  countEmojis,
  removeEmojis,
  SEVERITIES,
  unblockDomain,
  type DomainRule,
  type Purge,
  type Severity,
} from '../moderation/domain_rules/index.ts'
import { domainArgument } from './domain_argument.ts'
import { addCrawl } from './domains_crawl.ts'
import { concurrency, flag } from './flag.ts'
import { logOperatorAction } from './log_operator_action.ts'
import { openProgress } from './progress.ts'
import { CliError } from './cli_error.ts'
import { withCliError } from './with_cli_error.ts'
import type { CliContext } from './cli_context.ts'

interface BlockOptions {
  severity: Severity
  rejectMedia?: boolean
  rejectReports?: boolean
  publicComment: string
  privateComment: string
  obfuscate?: boolean
}

async function block(context: CliContext, domain: string, options: BlockOptions): Promise<void> {
  const { database } = await context.services()
  const rule: DomainRule = {
    severity: options.severity,
    reject_media: options.rejectMedia === true,
    reject_reports: options.rejectReports === true,
    public_comment: options.publicComment,
    private_comment: options.privateComment,
    obfuscate: options.obfuscate === true,
  }
  await withCliError(database.transaction(transaction => blockDomain(transaction, null, domain, rule)))
  context.print('OK')
}

/** Options that are not given leave their values unchanged. */
async function change(context: CliContext, given: string, options: Partial<BlockOptions>): Promise<void> {
  const domain = domainArgument(given)
  const { database } = await context.services()
  const stored = (await listDomainRules(database)).find(rule => rule.domain === domain)
  if (!stored) throw new CliError(`There is no rule about ${domain}`)
  const wanted = {
    severity: options.severity,
    reject_media: options.rejectMedia,
    reject_reports: options.rejectReports,
    public_comment: options.publicComment,
    private_comment: options.privateComment,
    obfuscate: options.obfuscate,
  }
  await withCliError(database.transaction(transaction => changeDomainRule(transaction, null, stored, wanted)))
  context.print('OK')
}

async function unblock(context: CliContext, domain: string): Promise<void> {
  const { database } = await context.services()
  const wasBlocked = await withCliError(database.transaction(transaction => unblockDomain(transaction, null, domain)))
  if (!wasBlocked) throw new CliError(`There is no rule about ${domain}`)
  context.print('OK')
}

async function list(context: CliContext): Promise<void> {
  const { database } = await context.services()
  const rows = (await listDomainRules(database)).map(rule => [
    rule.domain,
    rule.severity,
    [rule.reject_media && 'media', rule.reject_reports && 'reports'].filter(Boolean).join(',') || '-',
    rule.public_comment || '-',
    rule.private_comment || '-',
  ])
  context.printTable(['DOMAIN', 'SEVERITY', 'REJECTS', 'PUBLIC COMMENT', 'PRIVATE COMMENT'], rows)
}

/** The number of rows that one statement reads. */
const PAGE_SIZE = 500

async function allow(context: CliContext, domains: string[], allowed: boolean): Promise<void> {
  const { database, settings } = await context.services()
  const limited = settings.get('limited_federation_mode')
  for (const domain of domains) {
    const changed = await withCliError(
      database.transaction(transaction =>
        allowed
          ? allowDomain(transaction, null, domain).then(({ isNew }) => isNew)
          : disallowDomain(transaction, null, domain, limited),
      ),
    )
    context.print(changed ? `${domain} OK` : `${domain} is ${allowed ? 'already' : 'not'} allowed.`)
  }
}

interface PurgeOptions {
  limitedFederationMode?: boolean
  byUri?: boolean
  includeSubdomains?: boolean
  purgeDomainBlocks?: boolean
  concurrency: number
  verbose?: boolean
  dryRun?: boolean
}

/** @throws CliError */
async function listPurges(context: CliContext, domains: string[], options: PurgeOptions): Promise<Purge[]> {
  const { database } = await context.services()
  if (options.limitedFederationMode) {
    if (domains.length > 0) throw new CliError('DOMAIN parameter not supported with --limited-federation-mode')
    return (await domainsNotAllowed(database)).map(domain => ({ domain, below: false }))
  }
  if (domains.length === 0) throw new CliError('No domain(s) given')
  const [below, byUri] = [options.includeSubdomains === true, options.byUri === true]
  return domains.map(domain => ({ domain: domainArgument(domain), below, byUri }))
}

/**
 * `domains purge`: deletes all accounts and custom emojis of domains; other servers are not
 * informed. @throws CliError
 */
async function purge(context: CliContext, domains: string[], options: PurgeOptions): Promise<void> {
  const services = await context.services()
  const { database } = services
  const purges = await listPurges(context, domains, options)
  const counts = { accounts: 0, blocks: 0, emojis: 0 }
  const progress = openProgress(context, 'accounts')
  for (const target of purges) {
    if (!options.dryRun) await logOperatorAction(database, 'purge', { type: 'Domain', name: target.domain })
    const accounts = await accountsToPurge(database, target)
    counts.accounts += accounts.length
    for (const account of options.dryRun ? [] : accounts) {
      await removeAccount(services, { account, freesName: true })
      if (options.verbose) context.print(account)
      progress.add(1)
    }
    counts.emojis += options.dryRun
      ? await countEmojis(services, target.domain, target.below)
      : await removeEmojis(services, target)
    if (options.purgeDomainBlocks) counts.blocks += await removeRules(context, target, options.dryRun === true)
  }
  progress.end()
  const dry = options.dryRun ? ' (DRY RUN)' : ''
  context.print(`Removed ${counts.accounts} accounts${dry}`)
  if (options.purgeDomainBlocks) context.print(`Removed ${counts.blocks} domain blocks${dry}`)
  context.print(`Removed ${counts.emojis} custom emojis${dry}`)
}

async function removeRules(context: CliContext, { domain, below }: Purge, dryRun: boolean): Promise<number> {
  const { database } = await context.services()
  const rules = (await listDomainRules(database)).filter(
    rule => rule.domain === domain || (below && rule.domain.endsWith(`.${domain}`)),
  )
  if (dryRun) return rules.length
  for (const rule of rules) await database.transaction(transaction => unblockDomain(transaction, null, rule.domain))
  return rules.length
}

function addRules(group: Command, context: CliContext): void {
  const blockCommand = group
    .command('block <domain>')
    .description('add a rule about a domain and its subdomains')
    .addOption(new Option('--severity <severity>', 'severity').choices(SEVERITIES).default('silence'))
    .option('--public-comment <text>', 'comment that may be published', '')
    .option('--private-comment <text>', 'comment for moderators', '')
  flag(blockCommand, '--reject-media', 'store no copies of its media')
  flag(blockCommand, '--reject-reports', 'discard its reports')
  flag(blockCommand, '--obfuscate', 'mask its name in the public list')
  blockCommand.action((domain: string, options: BlockOptions) => block(context, domain, options))
  group
    .command('change <domain>')
    .description('change the rule about a domain; options that are not given stay unchanged')
    .addOption(new Option('--severity <severity>', 'severity').choices(SEVERITIES))
    .option('--public-comment <text>', 'comment that may be published')
    .option('--private-comment <text>', 'comment for moderators')
    .option('--reject-media', 'store no copies of its media')
    .option('--no-reject-media', 'store copies of its media')
    .option('--reject-reports', 'discard its reports')
    .option('--no-reject-reports', 'accept its reports')
    .option('--obfuscate', 'mask its name in the public list')
    .option('--no-obfuscate', 'show its full name in the public list')
    .action((domain: string, options: Partial<BlockOptions>) => change(context, domain, options))
  group
    .command('unblock <domain>')
    .description('delete the rule about a domain')
    .action((domain: string) => unblock(context, domain))
  group
    .command('list')
    .description('list the rules about domains')
    .action(() => list(context))
  for (const [name, allowed, description] of [
    ['allow', true, 'allow domains in limited federation mode'],
    ['disallow', false, 'stop allowing domains; in limited federation mode their accounts are removed'],
  ] as const) {
    group
      .command(`${name} <domains...>`)
      .description(description)
      .action((domains: string[]) => allow(context, domains, allowed))
  }
}

async function exportRules(context: CliContext, allows: boolean): Promise<void> {
  const { database } = await context.services()
  if (!allows) return context.print(rulesCsv(await listDomainRules(database)).trimEnd())
  const domains: string[] = []
  for (let last: string | undefined, more = true; more;) {
    const rows = await findDomainAllows(database, { limit: PAGE_SIZE, max_id: last })
    domains.push(...rows.map(({ domain }) => domain))
    last = rows.at(-1)?.id
    more = rows.length === PAGE_SIZE
  }
  context.print(allowsCsv(domains.toSorted()).trimEnd())
}

async function importRules(context: CliContext, file: string, allows: boolean): Promise<void> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new CliError(`${file} cannot be read`, { cause: error })
  })
  const parsed = parseRules(text)
  if (!parsed) throw new CliError(`${file} is not a CSV file, or has more than ${MAX_ROWS} rows`)
  const { database } = await context.services()
  let added = 0
  const progress = openProgress(context, 'rules', parsed.rules.length)
  for (const rule of parsed.rules) {
    if (await addRule(database, null, allows ? 'allows' : 'blocks', rule)) added += 1
    progress.add(1)
  }
  progress.end()
  const skipped = parsed.rules.length - added
  context.print(`Added ${added}, skipped ${skipped}, failed ${parsed.invalid}`)
}

function addFiles(group: Command, context: CliContext): void {
  flag(group.command('export'), '--allows', 'export the allowed domains instead')
    .description('export the rules as CSV, in the format that other servers import')
    .action(({ allows }: { allows?: boolean }) => exportRules(context, allows === true))
  flag(group.command('import <file>'), '--allows', 'import as allowed domains instead')
    .description('import rules from a CSV file; domains that have a rule are skipped')
    .action((file: string, { allows }: { allows?: boolean }) => importRules(context, file, allows === true))
}

/** The commands on other servers: rules about them, and deleting their data. */
export function addDomains(program: Command, context: CliContext): void {
  const group = program.command('domains').description('manage other servers')
  addRules(group, context)
  addFiles(group, context)
  addCrawl(group, context)
  const purgeCommand = group
    .command('purge [domains...]')
    .description('remove all accounts and emojis of domains, without informing them')
    .option('-c, --concurrency <n>', 'accepted for compatibility', concurrency, 5)
  flag(purgeCommand, '--limited-federation-mode', 'purge all domains that are not allowed')
  flag(purgeCommand, '--by-uri', 'match the host of URIs instead of the domain of handles')
  flag(purgeCommand, '--include-subdomains', 'include subdomains')
  flag(purgeCommand, '--purge-domain-blocks', 'also delete the rules about them')
  flag(purgeCommand, '-v, --verbose', 'print each account')
  flag(purgeCommand, '--dry-run', 'change nothing')
  purgeCommand.action((domains: string[], options: PurgeOptions) => purge(context, domains, options))
}
