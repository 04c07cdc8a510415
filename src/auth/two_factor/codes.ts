import { randomBytes } from 'node:crypto'
import { hashBackupCode } from './check.ts'

const CODES = 10
const CODE_BYTES = 8

/** Ten new recovery codes, which are shown once, and their hashes. */
export function makeCodes(): { codes: string[]; hashes: string[] } {
  const codes = Array.from({ length: CODES }, () => randomBytes(CODE_BYTES).toString('hex'))
  return { codes, hashes: codes.map(hashBackupCode) }
}
