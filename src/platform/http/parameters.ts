import { ApiError } from '../../core/errors.ts'
import { parseForm } from './form.ts'
import { parseJson } from './json.ts'
import { parseMultipart } from './multipart.ts'
import { createTree, type ParamTree } from './tree.ts'

export { decodeSegment, parseForm, parseQuery } from './form.ts'
export { parseJson } from './json.ts'
export { parseMultipart } from './multipart.ts'
export { Upload, type ParamTree } from './tree.ts'

/**
 * The parameters of a body of any supported type. A body without a type is read as a form.
 * @param bytes must stay unchanged afterwards: uploads are views of it
 * @throws ApiError unsupportedMediaType for another type, unless the body is empty; else the errors
 * of the parsers
 */
export function parseBody(bytes: Buffer, contentType: string | undefined): ParamTree {
  if (bytes.length === 0) return createTree()
  const type = contentType?.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  if (type === 'application/json' || type.endsWith('+json')) return parseJson(bytes)
  if (type === 'application/x-www-form-urlencoded' || type === '') return parseForm(bytes)
  if (type === 'multipart/form-data') return parseMultipart(bytes, contentType ?? '')
  throw new ApiError('unsupportedMediaType')
}

/**
 * Merges the parameters: the path takes precedence over the query, the query over the body, whole
 * values at a time.
 */
export function mergeParameters(path: Readonly<Record<string, string>>, query: ParamTree, body?: ParamTree): ParamTree {
  const merged = createTree()
  if (body) Object.assign(merged, body)
  return Object.assign(merged, query, path)
}
