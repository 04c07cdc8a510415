import type { Upload } from '../../platform/http/index.ts'
import { sniffMedia, type Sniffed } from '../../platform/storage/index.ts'
import { refuseLarge, unverified, wrongType } from './errors.ts'

/** Signatures of known types that are not accepted. */
const OTHERS = [
  'BM',
  '%PDF',
  'PK\x03\x04',
  'II*\0',
  'MM\0*',
  'RIFF',
  '\x1aE\xdf\xa3',
  '\x1f\x8b',
  '\x7fELF',
  '\0\0\x01\0',
]
const TEXT_BYTES = 512
/**
 * Characters that never occur in text: control characters except tab, line feed, form feed,
 * carriage return and escape.
 */
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f]/

/**
 * The type of an upload, from its bytes and not from its name or claimed type.
 * @throws ApiError `validation` for an unknown or unaccepted type, and for a file that is too large
 */
export function detectType(attribute: 'File' | 'Thumbnail', { head: bytes, sizeBytes }: Upload): Sniffed {
  const sniffed = sniffMedia(bytes)
  if (sniffed) {
    refuseLarge(attribute, sizeBytes, sniffed.kind === 'image' ? 'image' : 'other')
    return sniffed
  }
  const head = bytes.subarray(0, TEXT_BYTES).toString('latin1')
  const isKnown = head !== '' && (OTHERS.some(other => head.startsWith(other)) || !CONTROL.test(head))
  throw isKnown ? wrongType() : unverified()
}
