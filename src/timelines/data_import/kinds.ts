import { parseCsv } from './parse_csv.ts'

/** The kinds of imports, with the columns of the files that servers export. */
export const KINDS = {
  follows: { columns: ['Account address', 'Show boosts', 'Notify on new posts', 'Languages'], hasHeader: true },
  blocks: { columns: ['Account address'], hasHeader: false },
  mutes: { columns: ['Account address', 'Hide notifications'], hasHeader: true },
  domain_blocks: { columns: ['#domain'], hasHeader: false },
  bookmarks: { columns: ['#uri'], hasHeader: false },
  lists: { columns: ['List name', 'Account address'], hasHeader: false },
} as const satisfies Record<string, { readonly columns: readonly string[]; readonly hasHeader: boolean }>

export type Kind = keyof typeof KINDS

export const KIND_NAMES = [
  'follows',
  'blocks',
  'mutes',
  'domain_blocks',
  'bookmarks',
  'lists',
] as const satisfies Kind[]

export const isKind = (name: string): name is Kind => Object.hasOwn(KINDS, name)

export const MAX_ROWS = 20_000
const MAX_CELL_CHARACTERS = 4096

/** Why a file cannot be imported. */
export type FileError = 'no_csv' | 'no_rows' | 'no_columns' | 'too_many_rows'

const truncate = (cell: string): string =>
  cell.length <= MAX_CELL_CHARACTERS
    ? cell
    : Array.from(cell.slice(0, 2 * MAX_CELL_CHARACTERS))
        .slice(0, MAX_CELL_CHARACTERS)
        .join('')

/**
 * The rows of a file, with cells in the order of `columns`; missing ones are empty. Files have a
 * header, by which columns are found, or their first columns count.
 */
export function readRows(kind: Kind, text: string): string[][] | FileError {
  // One row more may be the header.
  const parsed = parseCsv(text, MAX_ROWS + 1)
  if (!parsed) return 'no_csv'
  const { columns } = KINDS[kind]
  const known = new Set(Object.values(KINDS).flatMap(({ columns: names }) => names.map(name => name.toLowerCase())))
  const [first = []] = parsed
  const header = first.map(cell => cell.toLowerCase())
  // A list may be named like a column, with an address next to it.
  const hasHeader = (kind === 'lists' && header.length > 1 ? header.slice(1) : header).some(cell => known.has(cell))
  const places = columns.map((name, index) => (hasHeader ? header.indexOf(name.toLowerCase()) : index))
  const required = kind === 'lists' ? 2 : 1
  if (places.slice(0, required).includes(-1)) return 'no_columns'
  const rows = hasHeader ? parsed.slice(1) : parsed
  if (rows.length === 0) return 'no_rows'
  if (rows.length > MAX_ROWS) return 'too_many_rows'
  return rows.map(row => places.map(place => truncate(row[place] ?? '')))
}
