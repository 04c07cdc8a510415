export { SETTINGS, type SettingKey, type SettingValue, type SettingValues } from './catalogue.ts'
export { InvalidSetting, parseSetting } from './parse.ts'
export { registrationsMode } from './registrations.ts'
export { openSettings, SETTINGS_CHANGED, type ListedSetting, type Settings, type SettingsOptions } from './settings.ts'
