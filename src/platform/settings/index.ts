export { SETTINGS, TIMELINE_PREVIEW, type Setting, type SettingKey, type SettingValue } from './catalogue.ts'
export { InvalidSetting, parseSetting } from './parse.ts'
export { registrationsMode } from './registrations.ts'
export { openSettings, type Settings } from './settings.ts'
