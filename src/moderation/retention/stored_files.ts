import { createInterface } from 'node:readline'
import { to } from 'pg-copy-streams'
import { c, query, type Database } from '../../platform/database/index.ts'
import { isRemovable, type ListedFile, type Storage } from '../../platform/storage/index.ts'

const referencesQuery = query('moderation/retention/file_references', {}, { key: c.text, kind: c.text, id: c.id })

/**
 * The age at the time of the snapshot: a newer file may belong to an upload or an archive whose row
 * was not stored yet.
 */
const MIN_ORPHAN_AGE_MS = 3_600_000

/** A row that names a file. */
interface FileReference {
  readonly key: string
  readonly kind: string
  readonly id: string
}

/**
 * Reads a snapshot of all references, sorted by key; PostgreSQL sorts them, on disk if necessary.
 */
async function* readReferences(
  client: Parameters<Parameters<Database['withClient']>[0]>[0],
): AsyncGenerator<FileReference> {
  const lines = createInterface({ input: client.query(to(`copy (${referencesQuery.text}) to stdout`)) })
  for await (const line of lines) {
    const [key = '', kind = '', id = ''] = line.split('\t')
    yield { key, kind, id }
  }
}

/**
 * A reference to a missing file, or a file without a reference; an orphan is one that may be
 * removed.
 */
export type FileMismatch = { readonly use: FileReference } | { readonly file: ListedFile; readonly isOrphan: boolean }

/**
 * Merges two sorted sequences and yields the entries that only one of them has.
 * @param before orphans were modified before this time
 */
async function* findMismatches(
  uses: AsyncIterator<FileReference>,
  files: AsyncIterator<ListedFile>,
  before: number,
  count: (checked: number) => void,
): AsyncGenerator<FileMismatch> {
  let [use, file] = [await uses.next(), await files.next()]
  while (!use.done || !file.done) {
    const [reference, stored] = [use.done ? undefined : use.value, file.done ? undefined : file.value]
    if (stored !== undefined && (reference === undefined || stored.key < reference.key)) {
      yield { file: stored, isOrphan: isRemovable(stored.key) && stored.modifiedAt.getTime() <= before }
      file = await files.next()
      continue
    }
    if (reference === undefined) return
    if (stored === undefined || reference.key < stored.key) yield { use: reference }
    count(1)
    use = await uses.next()
    // Several rows may name one file: it is skipped after the last of them.
    if (stored?.key === reference.key && (use.done || use.value.key !== stored.key)) file = await files.next()
  }
}

export interface Stores {
  readonly database: Database
  readonly storage: Storage
}

/**
 * Compares the stored files with the rows that name files, in one pass over both, and calls back
 * with each mismatch, in the order of the bytes of the keys.
 * @param count called with the number of references that were just compared
 */
export async function withFileMismatches(
  { database, storage }: Stores,
  count: (checked: number) => void,
  each: (mismatch: FileMismatch) => Promise<void>,
): Promise<void> {
  await database.withClient(async client => {
    const before = Date.now() - MIN_ORPHAN_AGE_MS
    const files = storage.list()[Symbol.asyncIterator]()
    for await (const mismatch of findMismatches(readReferences(client), files, before, count)) await each(mismatch)
  })
}

/**
 * Calls back with the key of each file that no row names, in the order of the bytes.
 * @param count called with the number of references that were just compared
 */
export const forEachOrphan = (
  stores: Stores,
  count: (checked: number) => void,
  each: (key: string) => Promise<void>,
): Promise<void> =>
  withFileMismatches(stores, count, async mismatch => {
    if ('file' in mismatch && mismatch.isOrphan) await each(mismatch.file.key)
  })
