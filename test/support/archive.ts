import { gzipSync } from 'node:zlib'

/** A gzipped ustar archive. */
export function pack(files: Readonly<Record<string, Buffer>>): Buffer {
  const blocks: Buffer[] = []
  for (const [name, bytes] of Object.entries(files)) {
    const header = Buffer.alloc(512)
    header.write(name, 0)
    header.write(bytes.length.toString(8).padStart(11, '0'), 124)
    header.write('0', 156)
    header.write('ustar', 257)
    blocks.push(header, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512))
  }
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)]))
}
