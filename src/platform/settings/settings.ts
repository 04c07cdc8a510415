import { Subject, type Observable } from 'rxjs'
import { c, query, type Database, type Runner } from '../database/index.ts'
import { openReloaded, type LoggedEvent } from '../events/index.ts'
import type { Id } from '../../core/id.ts'
import {
  isSettingKey,
  SETTINGS,
  TIMELINE_PREVIEW,
  type Setting,
  type SettingGroup,
  type SettingKey,
  type SettingValue,
  type SettingValues,
} from './catalogue.ts'
import { InvalidSetting, parseChange, parseValue, type SettingChanges } from './parse.ts'

const allSettings = query('platform/settings/all', {}, { key: c.text, value: c.json<unknown>() })
const changeSettings = query(
  'platform/settings/change',
  { changes: c.json<SettingChanges>(), actor: c.nullable(c.id) },
  { events: c.events },
)

/** A setting with its current value. */
export interface ListedSetting {
  key: string
  group: SettingGroup
  value: SettingValue
  default: SettingValue
  /** The possible values of an enumeration. */
  values?: readonly string[]
  meaning: string
  /** The environment variable that overrides it. */
  variable?: string
}

export interface Settings {
  /**
   * The current value, from memory. `timeline_preview` is true while all four feeds are `public`.
   */
  get<K extends SettingKey>(key: K): SettingValues[K]
  get(key: 'timeline_preview'): boolean
  /**
   * Stores a value and logs `settings.changed` in one transaction. This process has the value when
   * the promise resolves, other processes when they receive the event. Nothing is logged if the
   * value is unchanged.
   * @throws InvalidSetting with a message of one line
   */
  set(key: string, value: unknown, actor?: Id): Promise<void>
  /** Like `set` for several settings: all of them or, if one is invalid, none. */
  setAll(input: Readonly<Record<string, unknown>>, actor?: Id): Promise<void>
  /** Like `set`, with more work in its transaction, such as a notice of the change. */
  setWith(key: string, value: unknown, work: (transaction: Runner) => Promise<void>): Promise<void>
  /** The changed keys, emitted when `get` returns the new values. */
  readonly changed$: Observable<ReadonlySet<SettingKey>>
  /** All settings in the order of the catalogue. */
  list(): ListedSetting[]
  close(): void
}

export interface SettingsOptions {
  /** Values that the environment overrides: they cannot be changed here. */
  fixedSettings?: Readonly<Partial<Record<SettingKey, { readonly value: SettingValue; readonly variable: string }>>>
  /**
   * Called for an invalid stored value (the default is used instead), and for a failed reload,
   * which is retried.
   */
  onError?: (error: unknown) => void
}

type Values = Record<SettingKey, SettingValue>
type OnError = (error: unknown) => void
type Fixed = NonNullable<SettingsOptions['fixedSettings']>

const defaults = (): Values => {
  const values: Partial<Record<string, SettingValue>> = {}
  for (const [key, setting] of Object.entries(SETTINGS)) values[key] = setting.default
  return values as Values
}

const keys = (): SettingKey[] => Object.keys(SETTINGS).filter(isSettingKey)

/** The stored values, with defaults, below those that the environment overrides. */
async function readValues(database: Database, fixed: Fixed, onError: OnError): Promise<Values> {
  const values = defaults()
  for (const row of await database.run(allSettings, {})) {
    if (!isSettingKey(row.key)) continue
    try {
      values[row.key] = parseValue(row.key, row.value)
    } catch (error) {
      onError(error)
    }
  }
  for (const key of keys()) values[key] = fixed[key]?.value ?? values[key]
  return values
}

/** @throws InvalidSetting for a change of a setting that the environment overrides */
function requireChangeable(changes: SettingChanges, fixed: Fixed): void {
  for (const [key, value] of Object.entries(changes)) {
    const override = isSettingKey(key) ? fixed[key] : undefined
    if (override !== undefined && override.value !== value)
      throw new InvalidSetting(`${key} is set by the environment variable ${override.variable}`, 'environment', {
        variable: override.variable,
      })
  }
}

const describe = (key: SettingKey, value: SettingValue, variable: string | undefined): ListedSetting => {
  const setting: Setting = SETTINGS[key]
  return {
    key,
    group: setting.group,
    value,
    default: setting.default,
    ...(setting.type === 'choice' ? { values: setting.values } : {}),
    meaning: setting.meaning,
    ...(variable !== undefined && { variable }),
  }
}

/**
 * Loads the settings, and reloads them after events. Each change reloads all settings, so that
 * every process ends with the stored values, even if it missed an event.
 */
export async function openSettings(
  database: Database,
  local$: Observable<LoggedEvent>,
  options: SettingsOptions = {},
): Promise<Settings> {
  const { fixedSettings: fixed = {} } = options
  const onError: OnError = error => options.onError?.(error)
  const changed = new Subject<ReadonlySet<SettingKey>>()
  const values = await openReloaded(local$, 'settings.changed', () => readValues(database, fixed, onError), {
    onError,
    onLoaded(after, before = after) {
      const different = keys().filter(key => JSON.stringify(before[key]) !== JSON.stringify(after[key]))
      if (different.length > 0) changed.next(new Set(different))
    },
  })

  function get<K extends SettingKey>(key: K): SettingValues[K]
  function get(key: 'timeline_preview'): boolean
  function get(key: SettingKey | 'timeline_preview'): SettingValue {
    const current = values.get()
    return key === 'timeline_preview' ? TIMELINE_PREVIEW.every(feed => current[feed] === 'public') : current[key]
  }

  async function setAll(input: Readonly<Record<string, unknown>>, actor?: Id): Promise<void> {
    let changes: SettingChanges = {}
    for (const [key, value] of Object.entries(input)) changes = { ...changes, ...parseChange(key, value) }
    requireChangeable(changes, fixed)
    await database.run(changeSettings, { changes, actor: actor ?? null })
    await values.reload()
  }

  const setWith: Settings['setWith'] = async (key, value, work) => {
    const changes = parseChange(key, value)
    requireChangeable(changes, fixed)
    await database.transaction(async transaction => {
      await transaction.run(changeSettings, { changes, actor: null })
      await work(transaction)
    })
    await values.reload()
  }

  return {
    get,
    set: (key, value, actor) => setAll({ [key]: value }, actor),
    setAll,
    setWith,
    changed$: changed.asObservable(),
    list: () => keys().map(key => describe(key, values.get()[key], fixed[key]?.variable)),
    close() {
      values.close()
      changed.complete()
    },
  }
}
