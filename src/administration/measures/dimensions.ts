import type { Id } from '../../core/id.ts'
import { LANGUAGES } from '../../core/languages/index.ts'
import { c, query } from '../../platform/database/index.ts'
import { perServer, type Services } from '../../platform/services.ts'
import { createFigureCache } from './figure_cache.ts'
import { type Period, formatDay } from './period.ts'
import { type Entry, readSoftwareVersions, readSpaceUsage } from './software.ts'

const rangeColumns = { first: c.date, last: c.date, limit: c.nullable(c.bigint) } as const
const rankedColumns = { amount: c.bigint } as const
const detailsQuery = query(
  'administration/measures/details',
  { counter: c.text, domain: c.text, ...rangeColumns },
  { detail: c.text, ...rankedColumns },
)
const sourcesQuery = query('administration/measures/sources', rangeColumns, {
  name: c.nullable(c.text),
  ...rankedColumns,
})
const serversQuery = query('administration/measures/servers', rangeColumns, { domain: c.text, ...rankedColumns })
const tagServersQuery = query(
  'administration/measures/tag_servers',
  { tag: c.id, ...rangeColumns },
  { domain: c.text, ...rankedColumns, counted: c.bigint },
)
const tagLanguagesQuery = query(
  'administration/measures/tag_languages',
  { tag: c.id, ...rangeColumns },
  { language: c.text, ...rankedColumns, counted: c.bigint },
)
const instanceAccountsQuery = query(
  'administration/measures/instance_accounts',
  { domain: c.text, limit: c.nullable(c.bigint) },
  { username: c.text, followers: c.bigint, total: c.bigint },
)

/** The parameters of a dimension. */
export interface Selection {
  readonly tag?: Id | undefined
  readonly domain?: string | undefined
  /** The maximum number of rows. */
  readonly limit?: number | undefined
}

/** The entity Admin::Dimension. */
export interface Dimension {
  readonly key: DimensionKey
  readonly data: readonly Entry[]
}

/** The entries of a ranking, and the number of rows that they were counted from. */
interface CountedEntries {
  readonly entries: readonly Entry[]
  readonly rows: number
}

type ReadDimension = (
  services: Services,
  period: Period,
  selection: Selection,
) => Promise<readonly Entry[] | CountedEntries>

const NAMES: ReadonlyMap<string, string> = new Map(LANGUAGES.map(({ code, name }) => [code, name]))
const UNDETERMINED = 'und'

/** The English name of a language; the code itself if it is unknown. */
const languageName = (code: string): string => (code === UNDETERMINED ? 'Undetermined' : (NAMES.get(code) ?? code))

const toEntry = (key: string, value: string): Entry => ({ key, human_key: key, value })
const toLanguageEntry = (code: string, value: string): Entry => ({ key: code, human_key: languageName(code), value })

const rangeValues = ({ first, last }: Period, { limit }: Selection) => ({
  first: formatDay(first),
  last: formatDay(last),
  limit: limit === undefined ? null : String(limit),
})

const languages: ReadDimension = async ({ database }, period, selection) => {
  // Excludes users who never chose a language.
  const rows = await database.run(detailsQuery, { counter: 'sign_ins', domain: '', ...rangeValues(period, {}) })
  return rows
    .filter(({ detail }) => detail !== '')
    .slice(0, selection.limit)
    .map(({ detail, amount }) => toLanguageEntry(detail, amount))
}

const signUpSources: ReadDimension = async ({ database }, period, selection) => {
  const rows = await database.run(sourcesQuery, rangeValues(period, selection))
  return rows.map(({ name, amount }) =>
    name === null ? { key: 'web', human_key: 'Website', value: amount } : toEntry(name, amount),
  )
}

const activeServers: ReadDimension = async ({ database, config }, period, selection) => {
  const rows = await database.run(serversQuery, rangeValues(period, selection))
  return rows.map(({ domain, amount }) => toEntry(domain === '' ? config.localDomain : domain, amount))
}

const serversUsingTag: ReadDimension = async ({ database, config }, period, selection) => {
  if (selection.tag === undefined) return []
  const rows = await database.run(tagServersQuery, { tag: selection.tag, ...rangeValues(period, selection) })
  const entries = rows.map(({ domain, amount }) => toEntry(domain === '' ? config.localDomain : domain, amount))
  return { entries, rows: Number(rows[0]?.counted ?? 0) }
}

const languagesUsingTag: ReadDimension = async ({ database }, period, selection) => {
  if (selection.tag === undefined) return []
  const rows = await database.run(tagLanguagesQuery, { tag: selection.tag, ...rangeValues(period, selection) })
  const entries = rows.map(({ language, amount }) => toLanguageEntry(language === '' ? UNDETERMINED : language, amount))
  return { entries, rows: Number(rows[0]?.counted ?? 0) }
}

const instanceAccounts: ReadDimension = async ({ database }, _, { domain = '', limit }) => {
  const rows = await database.run(instanceAccountsQuery, { domain, limit: limit === undefined ? null : String(limit) })
  const entries = rows.map(({ username, followers }) => toEntry(username, followers))
  return { entries, rows: Number(rows[0]?.total ?? 0) }
}

const instanceLanguages: ReadDimension = async ({ database }, period, { domain = '', ...selection }) => {
  if (domain === '') return []
  const rows = await database.run(detailsQuery, { counter: 'languages', domain, ...rangeValues(period, selection) })
  return rows.map(({ detail, amount }) => toLanguageEntry(detail === '' ? UNDETERMINED : detail, amount))
}

interface Definition {
  readonly read: ReadDimension
  /** Describes the present, and needs no period. */
  readonly timeless?: true
}

const DEFINITIONS = {
  languages: { read: languages },
  sources: { read: signUpSources },
  servers: { read: activeServers },
  space_usage: { read: readSpaceUsage, timeless: true },
  software_versions: { read: readSoftwareVersions, timeless: true },
  tag_servers: { read: serversUsingTag },
  tag_languages: { read: languagesUsingTag },
  instance_accounts: { read: instanceAccounts, timeless: true },
  instance_languages: { read: instanceLanguages },
} as const satisfies Record<string, Definition>

export type DimensionKey = keyof typeof DEFINITIONS

export const isDimensionKey = (key: string): key is DimensionKey => Object.hasOwn(DEFINITIONS, key)

/** Whether a dimension needs a period. */
export function needsPeriod(key: DimensionKey): boolean {
  const { timeless }: Definition = DEFINITIONS[key]
  return timeless !== true
}

const entryCache = perServer(() => createFigureCache<readonly Entry[]>())

/** Reads a ranking, largest value first. */
export async function readDimension(
  services: Services,
  key: DimensionKey,
  period: Period,
  selection: Selection = {},
): Promise<Dimension> {
  const name = JSON.stringify([key, period.first, period.last, selection.tag, selection.domain, selection.limit])
  const data = await entryCache(services)(name, async () => {
    const result = await DEFINITIONS[key].read(services, period, selection)
    return 'rows' in result ? { value: result.entries, rows: result.rows } : { value: result, rows: 0 }
  })
  return { key, data }
}
