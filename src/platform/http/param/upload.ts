import { ApiError } from '../../../core/errors.ts'
import { Upload } from '../tree.ts'
import { ABSENT, define, type Options, type Outcome, type Param } from './declare.ts'

const HEAD = /^data:([a-z0-9.+-]+\/[a-z0-9.+-]+)?((?:;[^;,]*)*),/i
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/

/**
 * A file: a part of a multipart body, or a `data:` URI (RFC 2397). An empty string counts as
 * absent.
 * @throws ApiError badRequest for any other value
 */
export function upload<const O extends Options<Upload> = object>(options?: O): Param<Outcome<Upload, O>> {
  return define<Upload, O>((options ?? {}) as O, { type: 'string', format: 'binary' }, value => {
    if (value instanceof Upload) return value
    if (value === '') return ABSENT
    const parsed = typeof value === 'string' ? parseDataUri(value) : undefined
    if (parsed === undefined) throw new ApiError('badRequest')
    return parsed
  })
}

function parseDataUri(text: string): Upload | undefined {
  const head = HEAD.exec(text.slice(0, 1024))
  if (!head) return undefined
  const [matched, type = 'text/plain', attributes = ''] = head
  const data = text.slice(matched.length)
  const bytes = /;\s*base64$/i.test(attributes) ? decodeBase64(data) : decodePercent(data)
  return bytes && new Upload('', type.toLowerCase(), bytes)
}

/** Buffer silently skips characters that are not base64, so the text is checked first. */
function decodeBase64(data: string): Buffer | undefined {
  const compact = /\s/.test(data) ? withoutSpaces(data) : data
  if (!BASE64.test(compact) || compact.replace(/=+$/, '').length % 4 === 1) return undefined
  return Buffer.from(compact, 'base64')
}

const isSpace = (code: number): boolean => code === 0x20 || (code >= 0x09 && code <= 0x0d)

/** In place, as below: a regular expression makes a text for each of millions of spaces. */
function withoutSpaces(data: string): string {
  const bytes = Buffer.from(data, 'utf8')
  let length = 0
  for (const byte of bytes) {
    if (isSpace(byte)) continue
    bytes[length] = byte
    length += 1
  }
  return bytes.toString('latin1', 0, length)
}

const PERCENT = 0x25

/** In place: a call of a function for each of eight million bytes would take ten seconds. */
function decodePercent(data: string): Buffer | undefined {
  const bytes = Buffer.from(data, 'utf8')
  let length = 0
  for (let at = 0; at < bytes.length; at += 1) {
    let byte = bytes[at] ?? 0
    if (byte === PERCENT) {
      const [high, low] = [hexDigit(bytes[at + 1]), hexDigit(bytes[at + 2])]
      if (high === undefined || low === undefined) return undefined
      byte = high * 16 + low
      at += 2
    }
    bytes[length] = byte
    length += 1
  }
  return bytes.subarray(0, length)
}

/** The value of a character of a hexadecimal number. */
function hexDigit(code: number | undefined): number | undefined {
  if (code === undefined) return undefined
  if (code >= 0x30 && code <= 0x39) return code - 0x30
  const lower = code | 0x20
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : undefined
}
