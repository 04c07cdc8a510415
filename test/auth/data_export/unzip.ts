import assert from 'node:assert/strict'
import { inflateRawSync } from 'node:zlib'

const DIRECTORY_ENTRY = 0x02014b50
const END = 0x06054b50
const DEFLATED = 8

/**
 * Reads the files of a zip archive by name, through its central directory (APPNOTE.TXT, sections
 * 4.3.12 and 4.3.16).
 */
export function unzip(archive: Buffer): Map<string, Buffer> {
  const end = archive.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]))
  assert.equal(archive.readUInt32LE(end), END)
  const files = new Map<string, Buffer>()
  let at = archive.readUInt32LE(end + 16)
  for (let left = archive.readUInt16LE(end + 10); left > 0; left -= 1) {
    assert.equal(archive.readUInt32LE(at), DIRECTORY_ENTRY)
    const [method, size] = [archive.readUInt16LE(at + 10), archive.readUInt32LE(at + 20)]
    const lengths = [28, 30, 32].map(offset => archive.readUInt16LE(at + offset))
    const name = archive.toString('utf8', at + 46, at + 46 + (lengths[0] ?? 0))
    const local = archive.readUInt32LE(at + 42)
    const from = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28)
    const bytes = archive.subarray(from, from + size)
    files.set(name, method === DEFLATED ? inflateRawSync(bytes) : bytes)
    at += 46 + lengths.reduce((sum, length) => sum + length, 0)
  }
  return files
}
