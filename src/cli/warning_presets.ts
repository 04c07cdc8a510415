import type { Command } from 'commander'
import { ApiError } from '../core/errors.ts'
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
import type { CliContext } from './cli_context.ts'

/** @throws CliError */
async function find(database: Database, text: string): Promise<WarningPreset> {
  const id = parseId(text)
  const preset = id === undefined ? undefined : await findWarningPreset(database, id)
  if (!preset) throw new CliError('No such preset')
  return preset
}

/** Runs a change; its errors become those of the command line. @throws CliError */
async function explained<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'validation') throw error
    throw new CliError(error.message.replace('Validation failed: ', ''), { cause: error })
  }
}

/** Presets of warnings: texts that moderators choose for their messages. */
export function addWarningPresets(program: Command, session: CliContext): void {
  const group = program.command('warning-presets').description('texts for the messages that go with strikes')
  group
    .command('list')
    .description('every preset')
    .action(async () => {
      const { database } = await session.services()
      const rows = (await listWarningPresets(database)).map(({ id, title, text }) => [
        id,
        title,
        text.replace(/\s+/g, ' '),
      ])
      session.printTable(['ID', 'TITLE', 'TEXT'], rows)
    })
  group
    .command('create <text>')
    .description('make a preset')
    .option('--title <title>', 'for moderators only')
    .action(async (text: string, { title = '' }: { title?: string }) => {
      const { database } = await session.services()
      session.print(`OK, preset ${await explained(createWarningPreset(database, null, { title, text }))}`)
    })
  group
    .command('modify <id>')
    .description('change a preset')
    .option('--title <title>', 'for moderators only')
    .option('--text <text>', 'new text')
    .action(async (id: string, options: { title?: string; text?: string }) => {
      const { database } = await session.services()
      const { id: preset, ...old } = await find(database, id)
      await explained(changeWarningPreset(database, null, preset, { ...old, ...options }))
      session.print('OK')
    })
  group
    .command('delete <id>')
    .description('delete a preset')
    .action(async (id: string) => {
      const { database } = await session.services()
      await deleteWarningPreset(database, null, (await find(database, id)).id)
      session.print('OK')
    })
}
