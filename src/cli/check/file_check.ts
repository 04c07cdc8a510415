import { createInterface } from 'node:readline'
import { to } from 'pg-copy-streams'
import { c, query, type Database } from '../../platform/database/index.ts'
import { isRemovable, type ListedFile, type Storage } from '../../platform/storage/index.ts'
import type { CheckRun, Finding } from './finding.ts'

const findUses = query('cli/check/files', {}, { key: c.text, kind: c.text, id: c.id })
const namesFile = query('cli/check/names_file', { kind: c.text, id: c.id, key: c.text }, { found: c.boolean })

/** A younger file may be that of an upload or an archive whose row is not stored yet. */
const SETTLED_AFTER_MS = 3_600_000

/** A row that names a file. */
interface Use {
  readonly key: string
  readonly kind: string
  readonly id: string
}

/** All uses as of one moment, sorted by key; PostgreSQL sorts them, on the disk if need be. */
async function* usesOf(client: Parameters<Parameters<Database['withClient']>[0]>[0]): AsyncGenerator<Use> {
  const lines = createInterface({ input: client.query(to(`copy (${findUses.text}) to stdout`)) })
  for await (const line of lines) {
    const [key = '', kind = '', id = ''] = line.split('\t')
    yield { key, kind, id }
  }
}

/** A pair with one side missing: a use of no file, or a file without a use. */
type Odd = { readonly use: Use } | { readonly file: ListedFile }

/** Walks two sorted sequences at once and yields what is in one of them only. */
async function* unpaired(
  uses: AsyncIterator<Use>,
  files: AsyncIterator<ListedFile>,
  count: (checked: number) => void,
): AsyncGenerator<Odd> {
  let [use, file] = [await uses.next(), await files.next()]
  while (!use.done || !file.done) {
    const [wanted, there] = [use.done ? undefined : use.value, file.done ? undefined : file.value]
    if (there !== undefined && (wanted === undefined || there.key < wanted.key)) {
      yield { file: there }
      file = await files.next()
      continue
    }
    if (wanted === undefined) return
    if (there === undefined || wanted.key < there.key) yield { use: wanted }
    count(1)
    use = await uses.next()
    // Several rows may name one file: the file is passed with the last of them.
    if (there?.key === wanted.key && (use.done || use.value.key !== there.key)) file = await files.next()
  }
}

/** Whether a file that no row names is to be removed. */
const isOrphan = ({ key, modifiedAt }: ListedFile): boolean =>
  isRemovable(key) && Date.now() - modifiedAt.getTime() >= SETTLED_AFTER_MS

interface Parts {
  readonly database: Database
  readonly storage: Storage
}

/** Looks again at one side without the other: a running server may have changed it meanwhile. */
async function judge({ database, storage }: Parts, odd: Odd, fix: boolean): Promise<Finding | undefined> {
  if ('use' in odd) {
    const { key, kind, id } = odd.use
    if ((await storage.sizeOf(key)) !== undefined) return undefined
    if (!(await database.one(namesFile, { kind, id, key }))) return undefined
    const row = kind === 'site_pictures' ? kind : `${kind} ${id}`
    return { check: 'files', id: key, problem: `${row}: its file ${key} is missing`, mended: false }
  }
  const { key } = odd.file
  if (!isOrphan(odd.file)) return undefined
  if (fix) await storage.remove(key)
  return { check: 'files', id: key, problem: `file ${key}: no row names it`, mended: fix }
}

/** Compares the stored files with the rows that name files, in one pass over both. */
export async function checkFiles(parts: Parts, { fix, count, report }: CheckRun): Promise<void> {
  await parts.database.withClient(async client => {
    const files = parts.storage.list()[Symbol.asyncIterator]()
    for await (const odd of unpaired(usesOf(client), files, count)) {
      const finding = await judge(parts, odd, fix)
      if (finding) report(finding)
    }
  })
}

/**
 * Calls back with the key of each file that no row names, in the order of the bytes.
 * @param count called for each use of a file that was compared
 */
export async function eachOrphan(
  { database, storage }: Parts,
  count: (checked: number) => void,
  each: (key: string) => Promise<void>,
): Promise<void> {
  await database.withClient(async client => {
    const files = storage.list()[Symbol.asyncIterator]()
    for await (const odd of unpaired(usesOf(client), files, count))
      if ('file' in odd && isOrphan(odd.file)) await each(odd.file.key)
  })
}
