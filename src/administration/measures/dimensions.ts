import type { Id } from '../../core/id.ts'
import { LANGUAGES } from '../../core/languages/index.ts'
import { c, query } from '../../platform/database/index.ts'
import { perServer, type Services } from '../../platform/services.ts'
import { createKept } from './kept.ts'
import { type Period, textOf } from './period.ts'
import { type Entry, softwareVersions, spaceUsage } from './software.ts'

const limited = { first: c.date, last: c.date, limit: c.nullable(c.bigint) } as const
const ranked = { amount: c.bigint } as const
const details = query(
  'administration/measures/details',
  { counter: c.text, domain: c.text, ...limited },
  { detail: c.text, ...ranked },
)
const sources = query('administration/measures/sources', limited, { name: c.nullable(c.text), ...ranked })
const servers = query('administration/measures/servers', limited, { domain: c.text, ...ranked })
const tagServers = query(
  'administration/measures/tag_servers',
  { tag: c.id, ...limited },
  { domain: c.text, ...ranked, counted: c.bigint },
)
const tagLanguages = query(
  'administration/measures/tag_languages',
  { tag: c.id, ...limited },
  { language: c.text, ...ranked, counted: c.bigint },
)
const instanceAccounts = query(
  'administration/measures/instance_accounts',
  { domain: c.text, limit: c.nullable(c.bigint) },
  { username: c.text, followers: c.bigint, total: c.bigint },
)

/** The selection of a dimension's rows. */
export interface Selection {
  readonly tag?: Id | undefined
  readonly domain?: string | undefined
  /** The maximal number of rows. */
  readonly limit?: number | undefined
}

/** The entity Admin::Dimension. */
export interface Dimension {
  readonly key: DimensionKey
  readonly data: readonly Entry[]
}

/** The entries of a ranking, and the number of rows that they were counted from. */
interface Ranked {
  readonly ranked: readonly Entry[]
  readonly rows: number
}

type Read = (services: Services, asked: Period, selection: Selection) => Promise<readonly Entry[] | Ranked>

const NAMES: ReadonlyMap<string, string> = new Map(LANGUAGES.map(({ code, name }) => [code, name]))
const UNDETERMINED = 'und'

/** The English name of a language; the code itself when it is unknown. */
export const languageName = (code: string): string =>
  code === UNDETERMINED ? 'Undetermined' : (NAMES.get(code) ?? code)

const named = (key: string, value: string): Entry => ({ key, human_key: key, value })
const inLanguage = (code: string, value: string): Entry => ({ key: code, human_key: languageName(code), value })

const rowsOf = ({ first, last }: Period, { limit }: Selection) => ({
  first: textOf(first),
  last: textOf(last),
  limit: limit === undefined ? null : String(limit),
})

const languages: Read = async ({ database }, asked, selection) => {
  // Users who never chose a language are left out.
  const rows = await database.run(details, { counter: 'sign_ins', domain: '', ...rowsOf(asked, {}) })
  return rows
    .filter(({ detail }) => detail !== '')
    .slice(0, selection.limit)
    .map(({ detail, amount }) => inLanguage(detail, amount))
}

const signUpSources: Read = async ({ database }, asked, selection) => {
  const rows = await database.run(sources, rowsOf(asked, selection))
  return rows.map(({ name, amount }) =>
    name === null ? { key: 'web', human_key: 'Website', value: amount } : named(name, amount),
  )
}

const receivedFrom: Read = async ({ database, config }, asked, selection) => {
  const rows = await database.run(servers, rowsOf(asked, selection))
  return rows.map(({ domain, amount }) => named(domain === '' ? config.localDomain : domain, amount))
}

const serversOfTag: Read = async ({ database, config }, asked, selection) => {
  if (selection.tag === undefined) return []
  const rows = await database.run(tagServers, { tag: selection.tag, ...rowsOf(asked, selection) })
  const entries = rows.map(({ domain, amount }) => named(domain === '' ? config.localDomain : domain, amount))
  return { ranked: entries, rows: Number(rows[0]?.counted ?? 0) }
}

const languagesOfTag: Read = async ({ database }, asked, selection) => {
  if (selection.tag === undefined) return []
  const rows = await database.run(tagLanguages, { tag: selection.tag, ...rowsOf(asked, selection) })
  const entries = rows.map(({ language, amount }) => inLanguage(language === '' ? UNDETERMINED : language, amount))
  return { ranked: entries, rows: Number(rows[0]?.counted ?? 0) }
}

const accountsOfInstance: Read = async ({ database }, _, { domain = '', limit }) => {
  const rows = await database.run(instanceAccounts, { domain, limit: limit === undefined ? null : String(limit) })
  const entries = rows.map(({ username, followers }) => named(username, followers))
  return { ranked: entries, rows: Number(rows[0]?.total ?? 0) }
}

const languagesOfInstance: Read = async ({ database }, asked, { domain = '', ...selection }) => {
  if (domain === '') return []
  const rows = await database.run(details, { counter: 'languages', domain, ...rowsOf(asked, selection) })
  return rows.map(({ detail, amount }) => inLanguage(detail === '' ? UNDETERMINED : detail, amount))
}

interface Definition {
  readonly read: Read
  /** It is about now, and needs no period. */
  readonly timeless?: true
}

const DEFINITIONS = {
  languages: { read: languages },
  sources: { read: signUpSources },
  servers: { read: receivedFrom },
  space_usage: { read: spaceUsage, timeless: true },
  software_versions: { read: softwareVersions, timeless: true },
  tag_servers: { read: serversOfTag },
  tag_languages: { read: languagesOfTag },
  instance_accounts: { read: accountsOfInstance, timeless: true },
  instance_languages: { read: languagesOfInstance },
} as const satisfies Record<string, Definition>

export type DimensionKey = keyof typeof DEFINITIONS

export const isDimensionKey = (key: string): key is DimensionKey => Object.hasOwn(DEFINITIONS, key)

/** Whether a dimension needs a period. */
export function needsPeriod(key: DimensionKey): boolean {
  const { timeless }: Definition = DEFINITIONS[key]
  return timeless !== true
}

const keptEntries = perServer(() => createKept<readonly Entry[]>())

/** A ranking, the largest value first. */
export async function dimension(
  services: Services,
  key: DimensionKey,
  asked: Period,
  selection: Selection = {},
): Promise<Dimension> {
  const name = JSON.stringify([key, asked.first, asked.last, selection.tag, selection.domain, selection.limit])
  const data = await keptEntries(services)(name, async () => {
    const found = await DEFINITIONS[key].read(services, asked, selection)
    return 'ranked' in found ? { value: found.ranked, rows: found.rows } : { value: found, rows: 0 }
  })
  return { key, data }
}
