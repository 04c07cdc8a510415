import { readFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { parseId } from '../core/id.ts'
import { addTerms, changeTerms, deleteTerms, listTerms, publishTerms } from '../instance/index.ts'
import { flag } from './flag.ts'
import { addNotify } from './mailing.ts'
import { CliError } from './cli_error.ts'
import type { CliContext } from './cli_context.ts'
import { withCliError } from './with_cli_error.ts'

interface AddOptions {
  effective: string
  changelog: string
  publish?: boolean
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw new CliError(`${file} cannot be read`, { cause: error })
  }
}

async function add(context: CliContext, file: string, options: AddOptions): Promise<void> {
  const text = await readText(file)
  const day = /^\d{4}-\d\d-\d\d$/.test(options.effective) ? new Date(`${options.effective}T00:00:00Z`) : undefined
  if (!day || Number.isNaN(day.getTime())) throw new CliError('--effective must be a day, such as 2030-01-31')
  const draft = { text, changelog: options.changelog, effectiveDate: options.effective }
  const id = await withCliError(addTerms(await context.services(), null, draft, options.publish === true))
  context.print(`OK, terms ${id}`)
}

/** Options that are not given leave their values unchanged. */
async function change(
  context: CliContext,
  id: string,
  options: Partial<AddOptions> & { file?: string },
): Promise<void> {
  const services = await context.services()
  const old = (await listTerms(services)).find(row => row.id === id && row.published_at === null)
  if (!old) throw new CliError('No such draft')
  const draft = {
    text: options.file === undefined ? old.text : await readText(options.file),
    changelog: options.changelog ?? old.changelog,
    effectiveDate: options.effective ?? old.effective_date,
  }
  await withCliError(changeTerms(services, null, old.id, draft, options.publish === true), 'No such draft')
  context.print('OK')
}

async function publish(context: CliContext, id: string): Promise<void> {
  const terms = parseId(id)
  if (terms === undefined || !(await publishTerms(await context.services(), null, terms)))
    throw new CliError('No such draft that can be published')
  context.print('OK')
}

async function remove(context: CliContext, id: string): Promise<void> {
  const terms = parseId(id)
  if (terms === undefined || !(await deleteTerms(await context.services(), null, terms)))
    throw new CliError('No such terms')
  context.print('OK')
}

async function list(context: CliContext): Promise<void> {
  const rows = (await listTerms(await context.services())).map(row => [
    row.id,
    row.effective_date ?? '-',
    row.published_at === null ? 'draft' : 'published',
    row.changelog.replace(/\s+/g, ' '),
  ])
  context.printTable(['ID', 'EFFECTIVE', 'STATE', 'CHANGES'], rows)
}

/** The commands on the terms of service. */
export function addTermsCommands(program: Command, context: CliContext): void {
  const group = program.command('terms').description('manage the terms of service')
  const addCommand = group
    .command('add <file>')
    .description('add terms from a Markdown file; %{domain} stands for the domain of this server')
    .requiredOption('--effective <day>', 'effective date')
    .requiredOption('--changelog <text>', 'changes since the previous terms')
  flag(addCommand, '--publish', 'publish them at once instead of saving a draft')
  addCommand.action((file: string, options: AddOptions) => add(context, file, options))
  const changeCommand = group
    .command('change <id>')
    .description('change a draft')
    .option('--file <file>', 'new text, in Markdown')
    .option('--effective <day>', 'effective date')
    .option('--changelog <text>', 'changes since the previous terms')
  flag(changeCommand, '--publish', 'publish it')
  changeCommand.action((id: string, options: Partial<AddOptions> & { file?: string }) => change(context, id, options))
  group
    .command('publish <id>')
    .description('publish a draft')
    .action((id: string) => publish(context, id))
  addNotify(group, context, 'terms')
  group
    .command('delete <id>')
    .description('delete terms')
    .action((id: string) => remove(context, id))
  group
    .command('list')
    .description('list all terms, including drafts')
    .action(() => list(context))
}
