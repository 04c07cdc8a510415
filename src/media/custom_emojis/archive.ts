import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'

/** The file is not a readable archive. */
export class UnsuitableArchive extends Error {}

/** A file in an archive. */
export interface ArchivedFile {
  path: string
  bytes: Buffer
}

const BLOCK = 512
/** The maximum size of the unpacked archive: some thousand emojis of the largest size. */
const MAX_BYTES = 1024 ** 3
/** The maximum number of entries, and the maximum size of one that contains a long name. */
const MAX_ENTRIES = 20_000
const MAX_NAME_BYTES = 64 * 1024
const REGULAR = new Set(['0', '\0'])

const unpack = promisify(gunzip)

const textAt = (header: Buffer, from: number, length: number): string => {
  const text = header.toString('utf8', from, from + length)
  const end = text.indexOf('\0')
  return end === -1 ? text : text.slice(0, end)
}

/** The `path` of a pax header: lines of `LENGTH KEY=VALUE`. */
const paxPath = (bytes: Buffer): string | undefined => /^\d+ path=(.*)$/m.exec(bytes.toString('utf8'))?.[1]

/**
 * The regular files of a tar archive, gzipped or not (POSIX ustar, with the long names of pax and
 * GNU tar).
 * @throws UnsuitableArchive
 */
export async function readArchive(packed: Buffer, maxBytes = MAX_BYTES): Promise<ArchivedFile[]> {
  let tar = packed
  if (packed[0] === 0x1f && packed[1] === 0x8b) {
    try {
      tar = await unpack(packed, { maxOutputLength: maxBytes })
    } catch (error) {
      throw new UnsuitableArchive('The archive cannot be unpacked', { cause: error })
    }
  }
  if (tar.length < BLOCK) throw new UnsuitableArchive('The file is not a tar archive')
  const files: ArchivedFile[] = []
  let longName: string | undefined
  let entries = 0
  for (let at = 0; at + BLOCK <= tar.length;) {
    const header = tar.subarray(at, at + BLOCK)
    if (header.every(byte => byte === 0)) break
    const size = Number.parseInt(textAt(header, 124, 12).trim() || '0', 8)
    const isTar = textAt(header, 257, 5) === 'ustar'
    if (!isTar || !Number.isSafeInteger(size) || size < 0) throw new UnsuitableArchive('The file is not a tar archive')
    const bytes = tar.subarray(at + BLOCK, at + BLOCK + size)
    const type = header.toString('latin1', 156, 157)
    entries += 1
    if (entries > MAX_ENTRIES || ((type === 'x' || type === 'L') && size > MAX_NAME_BYTES))
      throw new UnsuitableArchive('The archive has too many files, or too long names')
    if (type === 'x') longName = paxPath(bytes) ?? longName
    else if (type === 'L') longName = textAt(bytes, 0, bytes.length)
    else {
      const prefix = textAt(header, 345, 155)
      const name = textAt(header, 0, 100)
      if (REGULAR.has(type)) files.push({ path: longName ?? (prefix === '' ? name : `${prefix}/${name}`), bytes })
      longName = undefined
    }
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK
  }
  return files
}
