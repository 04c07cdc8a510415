import { readFile } from 'node:fs/promises'
import { Option, type Command } from 'commander'
import { removeAccount } from '../accounts/deletion/index.ts'
import { addRule } from '../administration/domain_rules/add_rule.ts'
import { allowsCsv, MAX_ROWS, parseRules, rulesCsv } from '../administration/domain_rules/csv.ts'
import { ApiError } from '../core/errors.ts'
import {
  accountsToPurge,
  allowDomain,
  blockDomain,
  changeDomainRule,
  disallowDomain,
  domainsNotAllowed,
  findDomainAllows,
  findDomainRule,
  listDomainRules,
  parseSeverity,
  removeEmojis,
  SEVERITIES,
  unblockDomain,
  type DomainRule,
  type Purge,
  type Severity,
} from '../moderation/domain_rules/index.ts'
import { addCrawl } from './domains_crawl.ts'
import { concurrency, flag } from './flag.ts'
import { logOperatorAction } from './log_operator_action.ts'
import { openProgress } from './progress.ts'
import { CliError } from './cli_error.ts'
import type { CliContext } from './cli_context.ts'

/** Converts a rejected rule into a one-line error. @throws CliError */
async function refusing<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 422) throw error
    throw new CliError(error.message.replace(/^Validation failed: /, ''), { cause: error })
  }
}

interface BlockOptions {
  severity: Severity
  rejectMedia?: boolean
  rejectReports?: boolean
  publicComment: string
  privateComment: string
  obfuscate?: boolean
}

async function block(session: CliContext, domain: string, options: BlockOptions): Promise<void> {
  const { database } = await session.services()
  const rule: DomainRule = {
    severity: options.severity,
    reject_media: options.rejectMedia === true,
    reject_reports: options.rejectReports === true,
    public_comment: options.publicComment,
    private_comment: options.privateComment,
    obfuscate: options.obfuscate === true,
  }
  await refusing(database.transaction(transaction => blockDomain(transaction, null, domain, rule)))
  session.print('OK')
}

/** What is not given stays as it is. */
async function change(session: CliContext, domain: string, options: Partial<BlockOptions>): Promise<void> {
  const { database } = await session.services()
  const id = (await listDomainRules(database)).find(rule => rule.domain === domain.toLowerCase())?.id
  const old = id === undefined ? undefined : await findDomainRule(database, id)
  if (!old) throw new CliError(`There is no rule about ${domain}`)
  const rule: DomainRule = {
    severity: options.severity ?? parseSeverity(old.severity),
    reject_media: options.rejectMedia ?? old.reject_media,
    reject_reports: options.rejectReports ?? old.reject_reports,
    public_comment: options.publicComment ?? old.public_comment,
    private_comment: options.privateComment ?? old.private_comment,
    obfuscate: options.obfuscate ?? old.obfuscate,
  }
  await refusing(database.transaction(transaction => changeDomainRule(transaction, null, old, rule)))
  session.print('OK')
}

async function unblock(session: CliContext, domain: string): Promise<void> {
  const { database } = await session.services()
  const found = await refusing(database.transaction(transaction => unblockDomain(transaction, null, domain)))
  if (!found) throw new CliError(`There is no rule about ${domain}`)
  session.print('OK')
}

async function list(session: CliContext): Promise<void> {
  const { database } = await session.services()
  const rows = (await listDomainRules(database)).map(rule => [
    rule.domain,
    rule.severity,
    [rule.reject_media && 'media', rule.reject_reports && 'reports'].filter(Boolean).join(',') || '-',
    rule.public_comment || '-',
    rule.private_comment || '-',
  ])
  session.printTable(['DOMAIN', 'SEVERITY', 'REJECTS', 'PUBLIC COMMENT', 'PRIVATE COMMENT'], rows)
}

/** Rows that one statement reads. */
const PORTION = 500

async function allow(session: CliContext, domains: string[], allowed: boolean): Promise<void> {
  const { database, settings } = await session.services()
  const limited = settings.get('limited_federation_mode')
  for (const domain of domains) {
    const changed = await refusing(
      database.transaction(transaction =>
        allowed
          ? allowDomain(transaction, null, domain).then(({ isNew }) => isNew)
          : disallowDomain(transaction, null, domain, limited),
      ),
    )
    session.print(changed ? `${domain} OK` : `${domain} is ${allowed ? 'already' : 'not'} allowed.`)
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
async function purgesOf(session: CliContext, domains: string[], options: PurgeOptions): Promise<Purge[]> {
  const { database } = await session.services()
  if (options.limitedFederationMode) {
    if (domains.length > 0) throw new CliError('DOMAIN parameter not supported with --limited-federation-mode')
    return (await domainsNotAllowed(database)).map(domain => ({ domain, below: false }))
  }
  if (domains.length === 0) throw new CliError('No domain(s) given')
  const [below, byUri] = [options.includeSubdomains === true, options.byUri === true]
  return domains.map(domain => ({ domain: domain.toLowerCase(), below, byUri }))
}

/**
 * `domains purge`: deletes all accounts and custom emojis of domains; other servers are not
 * informed. @throws CliError
 */
async function purge(session: CliContext, domains: string[], options: PurgeOptions): Promise<void> {
  const services = await session.services()
  const { database } = services
  const purges = await purgesOf(session, domains, options)
  const counts = { accounts: 0, blocks: 0, emojis: 0 }
  const progress = openProgress(session, 'accounts')
  for (const one of purges) {
    if (!options.dryRun) await logOperatorAction(database, 'purge', { type: 'Domain', name: one.domain })
    const accounts = await accountsToPurge(database, one)
    counts.accounts += accounts.length
    for (const account of options.dryRun ? [] : accounts) {
      await removeAccount(services, { account, freesName: true })
      if (options.verbose) session.print(account)
      progress.add(1)
    }
    counts.emojis += await removeEmojis(services, one.domain, one.below, options.dryRun === true)
    if (options.purgeDomainBlocks) counts.blocks += await removeRules(session, one, options.dryRun === true)
  }
  progress.end()
  const dry = options.dryRun ? ' (DRY RUN)' : ''
  session.print(`Removed ${counts.accounts} accounts${dry}`)
  if (options.purgeDomainBlocks) session.print(`Removed ${counts.blocks} domain blocks${dry}`)
  session.print(`Removed ${counts.emojis} custom emojis${dry}`)
}

async function removeRules(session: CliContext, { domain, below }: Purge, dryRun: boolean): Promise<number> {
  const { database } = await session.services()
  const rules = (await listDomainRules(database)).filter(
    rule => rule.domain === domain || (below && rule.domain.endsWith(`.${domain}`)),
  )
  if (dryRun) return rules.length
  for (const rule of rules) await database.transaction(transaction => unblockDomain(transaction, null, rule.domain))
  return rules.length
}

function addRules(group: Command, session: CliContext): void {
  const blocking = group
    .command('block <domain>')
    .description('make a rule about a domain and all below it')
    .addOption(new Option('--severity <severity>', 'severity').choices(SEVERITIES).default('silence'))
    .option('--public-comment <text>', 'may be published', '')
    .option('--private-comment <text>', 'for moderators', '')
  flag(blocking, '--reject-media', 'store no copies of its pictures')
  flag(blocking, '--reject-reports', 'drop reports from there')
  flag(blocking, '--obfuscate', 'publish only half of its name')
  blocking.action((domain: string, options: BlockOptions) => block(session, domain, options))
  group
    .command('change <domain>')
    .description('change the rule about a domain; what is not given stays as it is')
    .addOption(new Option('--severity <severity>', 'severity').choices(SEVERITIES))
    .option('--public-comment <text>', 'may be published')
    .option('--private-comment <text>', 'for moderators')
    .option('--reject-media', 'store no copies of its pictures')
    .option('--no-reject-media', 'store copies of its pictures')
    .option('--reject-reports', 'drop reports from there')
    .option('--no-reject-reports', 'accept reports from there')
    .option('--obfuscate', 'publish only half of its name')
    .option('--no-obfuscate', 'publish its name')
    .action((domain: string, options: Partial<BlockOptions>) => change(session, domain, options))
  group
    .command('unblock <domain>')
    .description('delete the rule about a domain')
    .action((domain: string) => unblock(session, domain))
  group
    .command('list')
    .description('every rule about a domain')
    .action(() => list(session))
  for (const [name, allowed, does] of [
    ['allow', true, 'federate with these domains in limited federation mode'],
    ['disallow', false, 'no longer; in limited federation mode their accounts are removed'],
  ] as const) {
    group
      .command(`${name} <domains...>`)
      .description(does)
      .action((domains: string[]) => allow(session, domains, allowed))
  }
}

async function exportRules(session: CliContext, allows: boolean): Promise<void> {
  const { database } = await session.services()
  if (!allows) return session.print(rulesCsv(await listDomainRules(database)).trimEnd())
  const domains: string[] = []
  for (let last: string | undefined, more = true; more;) {
    const rows = await findDomainAllows(database, { limit: PORTION, max_id: last })
    domains.push(...rows.map(({ domain }) => domain))
    last = rows.at(-1)?.id
    more = rows.length === PORTION
  }
  session.print(allowsCsv(domains.toSorted()).trimEnd())
}

async function importRules(session: CliContext, file: string, allows: boolean): Promise<void> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new CliError(`${file} cannot be read`, { cause: error })
  })
  const parsed = parseRules(text)
  if (!parsed) throw new CliError(`${file} is not a CSV file, or has more than ${MAX_ROWS} rows`)
  const { database } = await session.services()
  let added = 0
  const progress = openProgress(session, 'rules', parsed.rules.length)
  for (const rule of parsed.rules) {
    if (await addRule(database, null, allows ? 'allows' : 'blocks', rule)) added += 1
    progress.add(1)
  }
  progress.end()
  const skipped = parsed.rules.length - added
  session.print(`Added ${added}, skipped ${skipped}, failed ${parsed.invalid}`)
}

function addFiles(group: Command, session: CliContext): void {
  flag(group.command('export'), '--allows', 'the allowed domains instead')
    .description('the rules as CSV that other servers import')
    .action(({ allows }: { allows?: boolean }) => exportRules(session, allows === true))
  flag(group.command('import <file>'), '--allows', 'allow the domains instead')
    .description('add the rules of a CSV file; domains with a rule are skipped')
    .action((file: string, { allows }: { allows?: boolean }) => importRules(session, file, allows === true))
}

/** Remote servers: rules about them, and deleting their data. */
export function addDomains(program: Command, session: CliContext): void {
  const group = program.command('domains').description('other servers')
  addRules(group, session)
  addFiles(group, session)
  addCrawl(group, session)
  const purging = group
    .command('purge [domains...]')
    .description('remove all accounts and emojis of domains, without telling them')
    .option('-c, --concurrency <n>', 'accepted for compatibility', concurrency, 5)
  flag(purging, '--limited-federation-mode', 'of all domains that are not allowed')
  flag(purging, '--by-uri', 'match the host of URIs instead of the domain of handles')
  flag(purging, '--include-subdomains', 'include subdomains')
  flag(purging, '--purge-domain-blocks', 'and the rules about them')
  flag(purging, '-v, --verbose', 'print each account')
  flag(purging, '--dry-run', 'change nothing')
  purging.action((domains: string[], options: PurgeOptions) => purge(session, domains, options))
}
