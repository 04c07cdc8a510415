export type ImageType = 'image/jpeg' | 'image/png' | 'image/gif' | 'image/webp'

/** The demuxer that ffmpeg must use, so that it does not guess. */
export type Demuxer = 'mov' | 'matroska' | 'ogg' | 'mp3' | 'flac' | 'wav' | 'aac' | 'asf' | 'gif'

/**
 * The type of a file, detected from its first bytes. A `recording` is audio or video, which only
 * its streams show.
 */
export type Sniffed =
  | { readonly kind: 'image'; readonly type: ImageType | 'image/heic' | 'image/heif' | 'image/avif' }
  | { readonly kind: 'audio' | 'recording'; readonly type: string; readonly demuxer: Demuxer }

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
const JPEG = [0xff, 0xd8, 0xff]
const EBML = [0x1a, 0x45, 0xdf, 0xa3]
const ASF = [0x30, 0x26, 0xb2, 0x75, 0x8e, 0x66, 0xcf, 0x11]

/** The EBML head names the document type within its first bytes. */
const EBML_HEAD_BYTES = 64
/** How far the compatible brands of an ISO container are searched. */
const BRANDS_BYTES = 64

const startsWith = (bytes: Uint8Array, signature: readonly number[]): boolean =>
  signature.every((byte, index) => bytes[index] === byte)

const textAt = (bytes: Uint8Array, from: number, to: number): string => String.fromCharCode(...bytes.subarray(from, to))

/** The detected type of a picture, whatever its declared type; undefined if it is not accepted. */
export function sniffImage(bytes: Uint8Array): ImageType | undefined {
  if (startsWith(bytes, JPEG)) return 'image/jpeg'
  if (startsWith(bytes, PNG)) return 'image/png'
  if (/^GIF8[79]a$/.test(textAt(bytes, 0, 6))) return 'image/gif'
  if (textAt(bytes, 0, 4) === 'RIFF' && textAt(bytes, 8, 12) === 'WEBP') return 'image/webp'
  return undefined
}

/** The detected type of a picture, audio or video file; undefined for anything else. */
export function sniffMedia(bytes: Uint8Array): Sniffed | undefined {
  const image = sniffImage(bytes)
  if (image) return { kind: 'image', type: image }
  if (textAt(bytes, 4, 8) === 'ftyp') return sniffIso(bytes)
  if (/^(moov|mdat|wide|free|skip)$/.test(textAt(bytes, 4, 8)))
    return { kind: 'recording', type: 'video/quicktime', demuxer: 'mov' }
  if (startsWith(bytes, EBML)) {
    const isWebm = textAt(bytes, 0, EBML_HEAD_BYTES).includes('webm')
    return isWebm ? { kind: 'recording', type: 'video/webm', demuxer: 'matroska' } : undefined
  }
  if (textAt(bytes, 0, 4) === 'OggS') return { kind: 'recording', type: 'video/ogg', demuxer: 'ogg' }
  return sniffAudio(bytes)
}

function sniffAudio(bytes: Uint8Array): Sniffed | undefined {
  const audio = (type: string, demuxer: Demuxer): Sniffed => ({ kind: 'audio', type, demuxer })
  if (textAt(bytes, 0, 4) === 'fLaC') return audio('audio/flac', 'flac')
  if (textAt(bytes, 0, 4) === 'RIFF' && textAt(bytes, 8, 12) === 'WAVE') return audio('audio/wav', 'wav')
  if (startsWith(bytes, ASF)) return audio('video/x-ms-asf', 'asf')
  if (textAt(bytes, 0, 3) === 'ID3') return audio('audio/mpeg', 'mp3')
  const [first = 0, second = 0] = bytes
  if (first !== 0xff) return undefined
  // Twelve bits of synchronization, then (after the version) two bits of layer: 0 is AAC, 1 is
  // layer III.
  if ((second & 0xf6) === 0xf0) return audio('audio/aac', 'aac')
  return (second & 0xe6) === 0xe2 ? audio('audio/mpeg', 'mp3') : undefined
}

/** Files of ISO/IEC 14496-12 name their type in the brands of the first box. */
function sniffIso(bytes: Uint8Array): Sniffed {
  const brand = textAt(bytes, 8, 12)
  const brands = textAt(bytes, 8, BRANDS_BYTES)
  if (brand === 'avif' || brand === 'avis') return { kind: 'image', type: 'image/avif' }
  if (/^(hei[cxms]|hev[cmsx])$/.test(brand)) return { kind: 'image', type: 'image/heic' }
  if (brand === 'mif1' || brand === 'msf1') {
    if (brands.includes('avif')) return { kind: 'image', type: 'image/avif' }
    return { kind: 'image', type: /hei[cx]/.test(brands) ? 'image/heic' : 'image/heif' }
  }
  if (/^M4[AB] $/.test(brand)) return { kind: 'audio', type: 'audio/mp4', demuxer: 'mov' }
  if (/^3g[2p]/.test(brand)) return { kind: 'audio', type: 'audio/3gpp', demuxer: 'mov' }
  return { kind: 'recording', type: brand === 'qt  ' ? 'video/quicktime' : 'video/mp4', demuxer: 'mov' }
}
