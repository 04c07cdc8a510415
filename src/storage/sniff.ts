export type ImageType = 'image/jpeg' | 'image/png' | 'image/gif' | 'image/webp'

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
const JPEG = [0xff, 0xd8, 0xff]

const startsWith = (bytes: Uint8Array, signature: readonly number[]): boolean =>
  signature.every((byte, index) => bytes[index] === byte)

const textAt = (bytes: Uint8Array, from: number, to: number): string => String.fromCharCode(...bytes.subarray(from, to))

/** The type of a picture by its first bytes, whatever it was said to be; undefined when it is none that is accepted. */
export function sniffImage(bytes: Uint8Array): ImageType | undefined {
  if (startsWith(bytes, JPEG)) return 'image/jpeg'
  if (startsWith(bytes, PNG)) return 'image/png'
  if (/^GIF8[79]a$/.test(textAt(bytes, 0, 6))) return 'image/gif'
  if (textAt(bytes, 0, 4) === 'RIFF' && textAt(bytes, 8, 12) === 'WEBP') return 'image/webp'
  return undefined
}
