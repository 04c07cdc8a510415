import { readFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { c, query } from '../platform/database/index.ts'
import { parseId } from '../core/id.ts'
import { flag } from './flag.ts'
import { CliError } from './cli_error.ts'
import type { CliContext } from './cli_context.ts'
import { table } from './table.ts'

const allTerms = query(
  'cli/terms',
  {},
  {
    id: c.id,
    effective_date: c.nullable(c.text),
    published_at: c.nullable(c.timestamp),
    changelog: c.text,
  },
)
const addTermsOfService = query(
  'cli/add_terms',
  { text: c.text, changelog: c.text, effective_date: c.nullable(c.date), published: c.boolean },
  { id: c.id, events: c.events },
)
const publishTerms = query('cli/publish_terms', { terms: c.id }, { id: c.id, events: c.events })
const deleteTerms = query('cli/delete_terms', { terms: c.id }, { id: c.id, events: c.events })

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

async function add(session: CliContext, file: string, options: AddOptions): Promise<void> {
  const text = await readText(file)
  if (text.trim() === '') throw new CliError("Text can't be blank")
  const day = /^\d{4}-\d\d-\d\d$/.test(options.effective) ? new Date(`${options.effective}T00:00:00Z`) : undefined
  if (!day || Number.isNaN(day.getTime())) throw new CliError('--effective must be a day, such as 2030-01-31')
  const { database } = await session.services()
  const made = await database.one(addTermsOfService, {
    text,
    changelog: options.changelog.trim(),
    effective_date: options.effective,
    published: options.publish === true,
  })
  if (!made) throw new CliError('Effective date must be from today on, and no other terms may have the same')
  session.print(`OK, terms ${made.id}`)
}

async function change(session: CliContext, id: string, what: 'publish' | 'delete'): Promise<void> {
  const { database } = await session.services()
  const terms = parseId(id)
  const statement = what === 'publish' ? publishTerms : deleteTerms
  const done = terms === undefined ? undefined : await database.one(statement, { terms })
  if (!done) throw new CliError(what === 'publish' ? 'No such draft that can be published' : 'No such terms')
  session.print('OK')
}

async function list(session: CliContext): Promise<void> {
  const { database } = await session.services()
  const rows = (await database.run(allTerms, {})).map(row => [
    row.id,
    row.effective_date ?? '-',
    row.published_at === null ? 'draft' : 'published',
    row.changelog.replace(/\s+/g, ' '),
  ])
  for (const line of table(['ID', 'EFFECTIVE', 'STATE', 'CHANGES'], rows)) session.print(line)
}

/** The terms of service, by effective date. */
export function addTerms(program: Command, session: CliContext): void {
  const group = program.command('terms').description('the terms of service, by effective date')
  const creation = group
    .command('add <file>')
    .description('new terms from a Markdown file; %{domain} stands for the domain of this server')
    .requiredOption('--effective <day>', 'effective date')
    .requiredOption('--changelog <text>', 'changes since the previous terms')
  flag(creation, '--publish', 'publish them at once; else they are a draft')
  creation.action((file: string, options: AddOptions) => add(session, file, options))
  group
    .command('publish <id>')
    .description('publish a draft')
    .action((id: string) => change(session, id, 'publish'))
  group
    .command('delete <id>')
    .description('delete terms')
    .action((id: string) => change(session, id, 'delete'))
  group
    .command('list')
    .description('all terms, also drafts')
    .action(() => list(session))
}
