import type { Command } from 'commander'
import { parseId } from '../core/id.ts'
import type { Database } from '../platform/database/index.ts'
import {
  changeWarningPreset,
  createWarningPreset,
  deleteWarningPreset,
  findWarningPreset,
  listWarningPresets,
  type WarningPreset,
} from '../moderation/index.ts'
import { CliError } from './cli_error.ts'
import { withCliError } from './with_cli_error.ts'
import type { CliContext } from './cli_context.ts'

/** @throws CliError */
async function findPreset(database: Database, text: string): Promise<WarningPreset> {
  const id = parseId(text)
  const preset = id === undefined ? undefined : await findWarningPreset(database, id)
  if (!preset) throw new CliError('No such preset')
  return preset
}

/** The commands on warning presets, texts that moderators choose for their messages. */
export function addWarningPresets(program: Command, context: CliContext): void {
  const group = program
    .command('warning-presets')
    .description('manage warning presets, texts for the messages of strikes')
  group
    .command('list')
    .description('list the presets')
    .action(async () => {
      const { database } = await context.services()
      const rows = (await listWarningPresets(database)).map(({ id, title, text }) => [
        id,
        title,
        text.replace(/\s+/g, ' '),
      ])
      context.printTable(['ID', 'TITLE', 'TEXT'], rows)
    })
  group
    .command('create <text>')
    .description('create a preset')
    .option('--title <title>', 'title, for moderators only')
    .action(async (text: string, { title = '' }: { title?: string }) => {
      const { database } = await context.services()
      context.print(`OK, preset ${await withCliError(createWarningPreset(database, null, { title, text }))}`)
    })
  group
    .command('modify <id>')
    .description('change a preset')
    .option('--title <title>', 'title, for moderators only')
    .option('--text <text>', 'new text')
    .action(async (id: string, options: { title?: string; text?: string }) => {
      const { database } = await context.services()
      const { id: preset, ...old } = await findPreset(database, id)
      await withCliError(changeWarningPreset(database, null, preset, { ...old, ...options }))
      context.print('OK')
    })
  group
    .command('delete <id>')
    .description('delete a preset')
    .action(async (id: string) => {
      const { database } = await context.services()
      await deleteWarningPreset(database, null, (await findPreset(database, id)).id)
      context.print('OK')
    })
}
