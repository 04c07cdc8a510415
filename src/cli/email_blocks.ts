import type { Command } from 'commander'
import {
  blockAddress,
  blockDomain,
  listDomainBlocks,
  resolveMailHosts,
  matchAddress,
  normaliseDomain,
  removeAddressBlock,
  unblockDomain,
} from '../moderation/email_blocks/index.ts'
import { flag } from './flag.ts'
import { CliError } from './cli_error.ts'
import type { CliContext } from './cli_context.ts'
import { withCliError } from './with_cli_error.ts'

interface ListOptions {
  onlyBlocked?: boolean
  onlyWithApproval?: boolean
}

async function listDomains(context: CliContext, { onlyBlocked, onlyWithApproval }: ListOptions): Promise<void> {
  if (onlyBlocked && onlyWithApproval) throw new CliError('Cannot specify both --only-blocked and --only-with-approval')
  const { database } = await context.services()
  const blocks = (await listDomainBlocks(database)).filter(({ allow_with_approval: approval }) =>
    onlyBlocked ? !approval : onlyWithApproval ? approval : true,
  )
  for (const block of blocks.filter(({ parent_id: parent }) => parent === null)) {
    context.print(block.domain)
    for (const child of blocks.filter(({ parent_id: parent }) => parent === block.id))
      context.print(context.isJson ? child.domain : `  ${child.domain}`)
  }
}

interface AddOptions {
  withDnsRecords?: boolean
  allowWithApproval?: boolean
}

async function addDomains(context: CliContext, names: string[], options: AddOptions): Promise<void> {
  if (names.length === 0) throw new CliError('No domain(s) given')
  const { database } = await context.services()
  const allowWithApproval = options.allowWithApproval === true
  const counts = { added: 0, skipped: 0 }
  for (const name of names) {
    const domain = normaliseDomain(name)
    if (domain === undefined) throw new CliError(`${name} is not a valid domain name`)
    const { hosts } = options.withDnsRecords ? await resolveMailHosts(domain) : { hosts: [] }
    await database.transaction(async transaction => {
      const parent = await blockDomain(transaction, null, domain, { allowWithApproval })
      if (parent === undefined) {
        counts.skipped += 1
        return context.print(`${domain} is already blocked.`)
      }
      counts.added += 1
      for (const host of hosts) {
        if (await blockDomain(transaction, null, host, { allowWithApproval, parent })) counts.added += 1
        else context.print(`${host} is already blocked.`)
      }
    })
  }
  context.print(`Added ${counts.added}, skipped ${counts.skipped}`)
}

async function removeDomains(context: CliContext, names: string[]): Promise<void> {
  if (names.length === 0) throw new CliError('No domain(s) given')
  const { database } = await context.services()
  let removed = 0
  for (const name of names) {
    if (await unblockDomain(database, null, normaliseDomain(name) ?? name)) removed += 1
    else context.print(`${name} is not yet blocked.`)
  }
  context.print(`Removed ${removed}, skipped ${names.length - removed}, failed 0`)
}

function addDomainCommands(program: Command, context: CliContext): void {
  const group = program
    .command('email_domain_blocks')
    .alias('email-domain-blocks')
    .description('manage e-mail domains that may not sign up')
  const list = group.command('list').description('list the blocked domains, each with its mail servers below it')
  flag(list, '--only-blocked', 'only domains that may not sign up at all')
  flag(list, '--only-with-approval', 'only domains that may sign up with approval')
  list.action((options: ListOptions) => listDomains(context, options))
  const add = group.command('add [domains...]').description('block domains and their subdomains')
  flag(add, '--with-dns-records', 'also block their mail servers')
  flag(add, '--allow-with-approval', 'allow sign-ups with approval')
  add.action((names: string[], options: AddOptions) => addDomains(context, names, options))
  group
    .command('remove [domains...]')
    .description('unblock domains')
    .action((names: string[]) => removeDomains(context, names))
}

/** The commands on blocked e-mail domains and addresses. */
export function addEmailBlocks(program: Command, context: CliContext): void {
  addDomainCommands(program, context)
  const group = program
    .command('canonical_email_blocks')
    .alias('canonical-email-blocks')
    .description('manage blocked e-mail addresses, in all their spellings')
  group
    .command('find <email>')
    .description('check whether an address is blocked')
    .action(async (email: string) => {
      const { database } = await context.services()
      context.print((await matchAddress(database, email)) ? `${email} is blocked` : `${email} is not blocked`)
    })
  group
    .command('add <email>')
    .description('block an address, in all its spellings')
    .action(async (email: string) => {
      const { database } = await context.services()
      await withCliError(blockAddress(database, null, { email }), 'No such address')
      context.print('OK')
    })
  group
    .command('remove <email>')
    .description('unblock an address')
    .action(async (email: string) => {
      const { database } = await context.services()
      const block = await matchAddress(database, email)
      if (block) await removeAddressBlock(database, null, block)
      context.print(block ? `Unblocked ${email}` : `${email} is not blocked`)
    })
}
