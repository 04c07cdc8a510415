import { crc32, deflateSync } from 'node:zlib'

/** A chunk of a PNG file. */
export function pngPart(name: string, data: Buffer): Buffer {
  const part = Buffer.alloc(data.length + 12)
  part.writeUInt32BE(data.length)
  part.write(name, 4, 'latin1')
  data.copy(part, 8)
  part.writeUInt32BE(crc32(part.subarray(4, data.length + 8)), data.length + 8)
  return part
}

/** Bits of a sample, colour type of the PNG format, and samples of a pixel. */
const FORMATS = { black: [1, 0, 1], transparent: [16, 6, 4] } as const

/**
 * A valid PNG of one colour, with few bytes and many pixels. A transparent one takes eight bytes a
 * pixel when it is decoded.
 */
export function plainPng(width: number, height: number, colour: keyof typeof FORMATS = 'black'): Buffer {
  const [bits, colourType, samples] = FORMATS[colour]
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([bits, colourType, 0, 0, 0], 8)
  const pixels = deflateSync(Buffer.alloc((Math.ceil((width * bits * samples) / 8) + 1) * height))
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([signature, pngPart('IHDR', head), pngPart('IDAT', pixels), pngPart('IEND', Buffer.alloc(0))])
}
