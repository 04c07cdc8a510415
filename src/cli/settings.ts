import type { Command } from 'commander'
import { InvalidSetting, parseSetting, type Settings, type SettingValue } from '../platform/settings/index.ts'
import { flag } from './flag.ts'
import type { CliContext } from './cli_context.ts'
import { table } from './table.ts'

/** A value in the form that `settings set` accepts. */
const formatValue = (value: SettingValue): string =>
  value === null ? '' : Array.isArray(value) ? value.join(',') : String(value)

/** @throws InvalidSetting */
function readValue(settings: Settings, key: string): SettingValue {
  if (key === 'timeline_preview') return settings.get(key)
  const setting = settings.list().find(listed => listed.key === key)
  if (!setting) throw new InvalidSetting(`there is no setting "${key}"`, 'unknown')
  return setting.value
}

async function list(context: CliContext, options: { json?: boolean }): Promise<void> {
  const { settings } = await context.services()
  const all = settings.list()
  if (options.json) return context.print(JSON.stringify(Object.fromEntries(all.map(({ key, value }) => [key, value]))))
  for (const line of table(
    ['SETTING', 'VALUE', 'MEANING'],
    all.map(setting => [
      setting.key,
      JSON.stringify(setting.value),
      setting.meaning + (setting.values ? ` (${setting.values.join(', ')})` : ''),
    ]),
  )) {
    context.print(line)
  }
}

async function setRegistrations(
  context: CliContext,
  mode: string,
  options: { requireReason?: boolean },
): Promise<void> {
  const { settings } = await context.services()
  await settings.setAll({
    registrations_mode: mode === 'close' ? 'none' : mode,
    ...(options.requireReason === undefined ? {} : { require_invite_text: options.requireReason }),
  })
  context.print('OK')
}

/** The commands on settings, which take effect in every running server at once. */
export function addSettings(program: Command, context: CliContext): void {
  const group = program.command('settings').description('manage settings of the running server')
  flag(group.command('list'), '--json', 'print one JSON object')
    .description('list the settings with their values and meanings')
    .action((options: { json?: boolean }) => list(context, options))
  group
    .command('get <key>')
    .description('print a setting')
    .action(async (key: string) => context.print(formatValue(readValue((await context.services()).settings, key))))
  group
    .command('set <key> <value>')
    .description('change a setting; lists are separated by commas, a blank value unsets a number')
    .action(async (key: string, value: string) => {
      const parsed = parseSetting(key, value)
      await (await context.services()).settings.set(key, parsed)
      context.print('OK')
    })
  const registrations = group.command('registrations').description('set who may sign up')
  const modes = { open: 'without approval', approved: 'with approval', close: 'with an invite only' }
  for (const [mode, description] of Object.entries(modes)) {
    const command = registrations.command(mode).description(description)
    if (mode === 'approved') flag(command, '--require-reason', 'require a reason')
    command.action((options: { requireReason?: boolean }) => setRegistrations(context, mode, options))
  }
}
