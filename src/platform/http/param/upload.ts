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
  const compact = /\s/.test(data) ? data.replaceAll(/\s/g, '') : data
  if (!BASE64.test(compact) || compact.replace(/=+$/, '').length % 4 === 1) return undefined
  return Buffer.from(compact, 'base64')
}

function decodePercent(data: string): Buffer | undefined {
  if (/%(?![0-9a-f]{2})/i.test(data)) return undefined
  const bytes = Buffer.from(data, 'utf8').toString('latin1')
  return Buffer.from(
    bytes.replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  )
}
