import { c, query } from '../../platform/database/index.ts'
import { withFileMismatches, type FileMismatch, type Stores } from '../../moderation/retention/index.ts'
import type { CheckRun, Finding } from './finding.ts'

const namesFile = query('cli/check/names_file', { kind: c.text, id: c.id, key: c.text }, { found: c.boolean })

/** Checks a mismatch again, because a running server may have resolved it meanwhile. */
async function confirmMismatch(
  { database, storage }: Stores,
  mismatch: FileMismatch,
  fix: boolean,
): Promise<Finding | undefined> {
  if ('use' in mismatch) {
    const { key, kind, id } = mismatch.use
    if ((await storage.sizeOf(key)) !== undefined) return undefined
    if (!(await database.one(namesFile, { kind, id, key }))) return undefined
    const row = kind === 'site_pictures' ? kind : `${kind} ${id}`
    return { check: 'files', id: key, problem: `${row}: its file ${key} is missing`, mended: false }
  }
  const { key } = mismatch.file
  if (!mismatch.isOrphan) return undefined
  if (fix) await storage.remove(key)
  return { check: 'files', id: key, problem: `file ${key}: no row names it`, mended: fix }
}

/** Compares the stored files with the rows that name files, in one pass over both. */
export const checkFiles = (parts: Stores, { fix, count, report }: CheckRun): Promise<void> =>
  withFileMismatches(parts, count, async mismatch => {
    const finding = await confirmMismatch(parts, mismatch, fix)
    if (finding) report(finding)
  })
