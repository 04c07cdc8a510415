import { c, query } from '../../platform/database/index.ts'
import type { Id } from '../../core/id.ts'
import type { Services } from '../../platform/services.ts'
import type { TextKey } from '../../platform/i18n/index.ts'
import { csvLine } from './csv.ts'
import { markedUris } from './archive_rows.ts'
import { readOn } from './pages.ts'

const ROW = { id: c.id, cells: c.texts } as const
const OF_PEOPLE = { account: c.id, local_domain: c.text, after: c.id } as const
const follows = query('auth/data_export/follows', OF_PEOPLE, ROW)
const blocks = query('auth/data_export/blocks', OF_PEOPLE, ROW)
const mutes = query('auth/data_export/mutes', OF_PEOPLE, ROW)
const domainBlocks = query('auth/data_export/domain_blocks', { account: c.id, after: c.id }, ROW)
const ownLists = query('auth/data_export/own_lists', { account: c.id }, { id: c.id })
const listMembers = query('auth/data_export/list_members', { list: c.id, local_domain: c.text, after: c.id }, ROW)

type Source = Pick<Services, 'database' | 'config'>
type Rows = AsyncGenerator<readonly string[]>

/** A CSV list in the columns of Mastodon's exports, which other servers import. */
interface Table {
  readonly title: TextKey
  readonly fileName: string
  /** The header line, if there is one. */
  readonly columns?: readonly string[]
  readonly rows: (source: Source, account: Id) => Rows
}

async function* peopleOf(people: typeof follows, { database, config }: Source, account: Id): Rows {
  const next = (after: Id) => database.run(people, { account, local_domain: config.localDomain, after })
  for await (const { cells } of readOn(next, row => row.id)) yield cells
}

async function* domainsOf({ database }: Source, account: Id): Rows {
  for await (const { cells } of readOn(
    after => database.run(domainBlocks, { account, after }),
    row => row.id,
  ))
    yield cells
}

async function* membersOf({ database, config }: Source, account: Id): Rows {
  for (const { id: list } of await database.run(ownLists, { account })) {
    const next = (after: Id) => database.run(listMembers, { list, local_domain: config.localDomain, after })
    for await (const { cells } of readOn(next, row => row.id)) yield cells
  }
}

async function* bookmarksOf({ database, config }: Source, account: Id): Rows {
  for await (const uri of markedUris(database, 'bookmarks', account, config.publicUrl)) yield [uri]
}

/** The columns of followed accounts. */
export const FOLLOW_COLUMNS: readonly string[] = ['Account address', 'Show boosts', 'Notify on new posts', 'Languages']

/** The lists by the name in their URLs. */
export const TABLES = {
  follows: {
    title: 'exports.follows',
    fileName: 'following_accounts.csv',
    columns: FOLLOW_COLUMNS,
    rows: (source, account) => peopleOf(follows, source, account),
  },
  lists: { title: 'exports.lists', fileName: 'lists.csv', rows: membersOf },
  blocks: {
    title: 'exports.blocks',
    fileName: 'blocked_accounts.csv',
    rows: (source, account) => peopleOf(blocks, source, account),
  },
  mutes: {
    title: 'exports.mutes',
    fileName: 'muted_accounts.csv',
    columns: ['Account address', 'Hide notifications'],
    rows: (source, account) => peopleOf(mutes, source, account),
  },
  domain_blocks: { title: 'exports.domain_blocks', fileName: 'blocked_domains.csv', rows: domainsOf },
  bookmarks: { title: 'exports.bookmarks', fileName: 'bookmarks.csv', rows: bookmarksOf },
} as const satisfies Record<string, Table>

export type TableName = keyof typeof TABLES

export const isTableName = (name: string): name is TableName => Object.hasOwn(TABLES, name)

/** The content of a CSV list. */
export async function csvOf(source: Source, name: TableName, account: Id): Promise<string> {
  const table: Table = TABLES[name]
  let text = table.columns ? csvLine(table.columns) : ''
  for await (const cells of table.rows(source, account)) text += csvLine(cells)
  return text
}
