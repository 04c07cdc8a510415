import { InvalidArgumentError, type Command } from 'commander'
import { parseId, type Id } from '../core/id.ts'
import { LANGUAGES } from '../core/languages/index.ts'
import { addRule, changeRule, deleteRule, ruleErrorOf, MAX_RULE_CHARACTERS, renderRules } from '../instance/index.ts'
import { CliError } from './cli_error.ts'
import type { CliContext } from './cli_context.ts'

interface ChangeOptions {
  text?: string
  hint?: string
  language?: string
  position?: number
}

/** @throws CliError */
function requireText(text: string): string {
  const error = ruleErrorOf(text)
  if (error === 'blank') throw new CliError("Text can't be blank")
  if (error === 'too_long') throw new CliError(`A rule has at most ${MAX_RULE_CHARACTERS} characters`)
  return text
}

const parsePosition = (text: string): number => {
  if (!/^\d{1,6}$/.test(text)) throw new InvalidArgumentError('give a whole number')
  return Number(text)
}

async function add(context: CliContext, text: string, options: { hint?: string }): Promise<void> {
  const rule = { text: requireText(text), hint: options.hint ?? '' }
  context.print(`OK, rule ${await addRule(await context.services(), null, rule)}`)
}

/** @throws CliError */
function requireRule(id: string): Id {
  const rule = parseId(id)
  if (rule === undefined) throw new CliError('No such rule')
  return rule
}

async function change(context: CliContext, id: string, options: ChangeOptions): Promise<void> {
  const { text, language } = options
  if (language !== undefined && !LANGUAGES.some(({ code }) => code === language)) {
    throw new CliError(`"${language}" is not a language code`)
  }
  if (text !== undefined && !(language !== undefined && text.trim() === '')) requireText(text)
  if (!(await changeRule(await context.services(), null, requireRule(id), options))) throw new CliError('No such rule')
  context.print('OK')
}

async function remove(context: CliContext, id: string): Promise<void> {
  if (!(await deleteRule(await context.services(), null, requireRule(id)))) throw new CliError('No such rule')
  context.print('OK')
}

async function list(context: CliContext): Promise<void> {
  const rules = await renderRules(await context.services())
  const rows = rules.map(({ id, text, translations }) => [id, Object.keys(translations).sort().join(' ') || '-', text])
  context.printTable(['ID', 'TRANSLATED', 'TEXT'], rows)
}

/** The commands on the server's rules. */
export function addRules(program: Command, context: CliContext): void {
  const group = program.command('rules').description("manage the server's rules")
  group
    .command('add <text>')
    .description('add a rule after the others')
    .option('--hint <text>', 'additional explanation')
    .action((text: string, options: { hint?: string }) => add(context, text, options))
  group
    .command('change <id>')
    .description('change a rule, or with --language its translation; a blank text removes the translation')
    .option('--text <text>', 'text')
    .option('--hint <text>', 'additional explanation')
    .option('--language <code>', 'language of the text and the hint')
    .option('--position <n>', 'position among the rules', parsePosition)
    .action((id: string, options: ChangeOptions) => change(context, id, options))
  group
    .command('delete <id>')
    .description('delete a rule')
    .action((id: string) => remove(context, id))
  group
    .command('list')
    .description('list the rules in order')
    .action(() => list(context))
}
