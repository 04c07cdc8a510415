import type { Config } from '../../core/config.ts'
import type { SettingValues } from './catalogue.ts'
import type { Settings } from './settings.ts'

/** Who may sign up now: the setting, and nobody where the server is one person's alone. */
export const registrationsMode = ({
  config,
  settings,
}: {
  readonly config: Config
  readonly settings: Settings
}): SettingValues['registrations_mode'] => (config.singleUserMode ? 'none' : settings.get('registrations_mode'))
