import type { Config } from '../../core/config.ts'
import type { SettingValues } from './catalogue.ts'
import type { Settings } from './settings.ts'

/** The registrations mode: the setting, or `none` in single-user mode. */
export const registrationsMode = ({
  config,
  settings,
}: {
  readonly config: Config
  readonly settings: Settings
}): SettingValues['registrations_mode'] => (config.singleUserMode ? 'none' : settings.get('registrations_mode'))
