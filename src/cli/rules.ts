import { InvalidArgumentError, type Command } from 'commander'
import { c, query } from '../platform/database/index.ts'
import { parseId } from '../core/id.ts'
import { LANGUAGES } from '../core/languages/index.ts'
import { CliError } from './cli_error.ts'
import type { CliContext } from './cli_context.ts'
import { table } from './table.ts'

const allRules = query('cli/rules', {}, { id: c.id, text: c.text, hint: c.text, languages: c.texts })
const addRule = query('cli/add_rule', { text: c.text, hint: c.text }, { id: c.id, events: c.events })
const changeRule = query(
  'cli/change_rule',
  {
    rule: c.id,
    text: c.nullable(c.text),
    hint: c.nullable(c.text),
    language: c.nullable(c.text),
    position: c.nullable(c.integer),
  },
  { id: c.id, events: c.events },
)
const deleteRule = query('cli/delete_rule', { rule: c.id }, { id: c.id, events: c.events })

const MAX_TEXT_LENGTH = 300

interface ChangeOptions {
  text?: string
  hint?: string
  language?: string
  position?: number
}

/** @throws CliError */
function checkText(text: string): string {
  const trimmed = text.trim()
  if (Array.from(trimmed).length > MAX_TEXT_LENGTH)
    throw new CliError(`A rule has at most ${MAX_TEXT_LENGTH} characters`)
  return trimmed
}

const parsePosition = (text: string): number => {
  if (!/^\d{1,6}$/.test(text)) throw new InvalidArgumentError('give a whole number')
  return Number(text)
}

async function add(session: CliContext, text: string, options: { hint?: string }): Promise<void> {
  if (checkText(text) === '') throw new CliError("Text can't be blank")
  const { database } = await session.services()
  const made = await database.one(addRule, { text: checkText(text), hint: options.hint?.trim() ?? '' })
  session.print(`OK, rule ${made?.id ?? ''}`)
}

async function change(session: CliContext, id: string, options: ChangeOptions): Promise<void> {
  const { language = null, position = null } = options
  if (language !== null && !LANGUAGES.some(({ code }) => code === language)) {
    throw new CliError(`"${language}" is no language code`)
  }
  const text = options.text === undefined ? null : checkText(options.text)
  if (text === '' && language === null) throw new CliError("Text can't be blank")
  const { database } = await session.services()
  const rule = parseId(id)
  const asked = { text, hint: options.hint?.trim() ?? null, language, position }
  const done = rule === undefined ? undefined : await database.one(changeRule, { rule, ...asked })
  if (!done) throw new CliError('No such rule')
  session.print('OK')
}

async function remove(session: CliContext, id: string): Promise<void> {
  const { database } = await session.services()
  const rule = parseId(id)
  const done = rule === undefined ? undefined : await database.one(deleteRule, { rule })
  if (!done) throw new CliError('No such rule')
  session.print('OK')
}

async function list(session: CliContext): Promise<void> {
  const { database } = await session.services()
  const rows = (await database.run(allRules, {})).map(row => [row.id, row.languages.join(' ') || '-', row.text])
  for (const line of table(['ID', 'TRANSLATED', 'TEXT'], rows)) session.print(line)
}

/** The server's rules. */
export function addRules(program: Command, session: CliContext): void {
  const group = program.command('rules').description('the rules that people agree to')
  group
    .command('add <text>')
    .description('a rule more, after the others')
    .option('--hint <text>', 'additional explanation')
    .action((text: string, options: { hint?: string }) => add(session, text, options))
  group
    .command('change <id>')
    .description('change a rule, or with --language its translation; a blank text removes the translation')
    .option('--text <text>', 'text')
    .option('--hint <text>', 'additional explanation')
    .option('--language <code>', 'the language of both')
    .option('--position <n>', 'its place among the others', parsePosition)
    .action((id: string, options: ChangeOptions) => change(session, id, options))
  group
    .command('delete <id>')
    .description('delete a rule')
    .action((id: string) => remove(session, id))
  group
    .command('list')
    .description('all rules in order')
    .action(() => list(session))
}
