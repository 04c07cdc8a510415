import type { Command } from 'commander'
import { InvalidSetting, parseSetting, type Settings, type SettingValue } from '../platform/settings/index.ts'
import { flag } from './flag.ts'
import type { CliContext } from './cli_context.ts'
import { table } from './table.ts'

/** A value in the form that `settings set` accepts. */
const show = (value: SettingValue): string =>
  value === null ? '' : Array.isArray(value) ? value.join(',') : String(value)

/** @throws InvalidSetting */
function valueOf(settings: Settings, key: string): SettingValue {
  if (key === 'timeline_preview') return settings.get(key)
  const found = settings.list().find(setting => setting.key === key)
  if (!found) throw new InvalidSetting(`there is no setting "${key}"`, 'unknown')
  return found.value
}

async function list(session: CliContext, options: { json?: boolean }): Promise<void> {
  const { settings } = await session.services()
  const all = settings.list()
  if (options.json) return session.print(JSON.stringify(Object.fromEntries(all.map(({ key, value }) => [key, value]))))
  for (const line of table(
    ['SETTING', 'VALUE', 'MEANING'],
    all.map(setting => [
      setting.key,
      JSON.stringify(setting.value),
      setting.meaning + (setting.values ? ` (${setting.values.join(', ')})` : ''),
    ]),
  )) {
    session.print(line)
  }
}

async function setRegistrations(
  session: CliContext,
  mode: string,
  options: { requireReason?: boolean },
): Promise<void> {
  const { settings } = await session.services()
  await settings.setAll({
    registrations_mode: mode === 'close' ? 'none' : mode,
    ...(options.requireReason === undefined ? {} : { require_invite_text: options.requireReason }),
  })
  session.print('OK')
}

/** Settings, which take effect in every running server at once. */
export function addSettings(program: Command, session: CliContext): void {
  const group = program.command('settings').description('settings of the running server')
  flag(group.command('list'), '--json', 'as one JSON object')
    .description('every setting with its value and meaning')
    .action((options: { json?: boolean }) => list(session, options))
  group
    .command('get <key>')
    .description('print one value')
    .action(async (key: string) => session.print(show(valueOf((await session.services()).settings, key))))
  group
    .command('set <key> <value>')
    .description('change one value; lists are separated by commas, a blank value unsets a number')
    .action(async (key: string, value: string) => {
      const parsed = parseSetting(key, value)
      await (await session.services()).settings.set(key, parsed)
      session.print('OK')
    })
  const registrations = group.command('registrations').description('who may sign up')
  const modes = { open: 'without approval', approved: 'with approval', close: 'with an invite only' }
  for (const [mode, who] of Object.entries(modes)) {
    const command = registrations.command(mode).description(who)
    if (mode === 'approved') flag(command, '--require-reason', 'a reason must be given')
    command.action((options: { requireReason?: boolean }) => setRegistrations(session, mode, options))
  }
}
