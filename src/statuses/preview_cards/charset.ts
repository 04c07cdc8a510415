import { isUtf8 } from 'node:buffer'
import { decodeBuffer } from 'encoding-sniffer'

/** Browsers look for a declaration in the first 1,024 bytes; many pages have theirs later. */
const SNIFFED_BYTES = 8192

const CHARSET = /;\s*charset\s*=\s*(?:"([^"]+)"|([^\s;"]+))/i

/** Whether bytes are UTF-8, apart from a last character that may be incomplete. */
const looksLikeUtf8 = (bytes: Buffer): boolean =>
  [0, 1, 2, 3].some(cut => isUtf8(bytes.subarray(0, Math.max(0, bytes.length - cut))))

/**
 * The text of an HTML page, in its declared encoding (WHATWG HTML, "determining the character
 * encoding"); without a declaration UTF-8, if it is valid. Undefined for an unknown encoding.
 */
export function decodePage(body: Buffer, contentType: string): string | undefined {
  const [, quoted, plain] = CHARSET.exec(contentType) ?? []
  const label = quoted ?? plain
  try {
    return decodeBuffer(body, {
      maxBytes: SNIFFED_BYTES,
      defaultEncoding: looksLikeUtf8(body) ? 'utf-8' : 'windows-1252',
      ...(label !== undefined && { transportLayerEncodingLabel: label }),
    })
  } catch {
    // The Encoding Standard's "replacement" encodings must not be decoded, for safety.
    return undefined
  }
}
