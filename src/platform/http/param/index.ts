import { date, datetime } from './date.ts'
import { ParseContext, INVALID } from './declare.ts'
import { type ParamError, validationErrorOf } from './validation_error.ts'
import { cursor, id, ids } from './id.ts'
import { type Declared, json, object, objects, type Parsed, readDeclared, record } from './nested.ts'
import { boolean, integer, integers, limit, offset } from './number.ts'
import { enumeration, string, strings } from './text.ts'
import { upload } from './upload.ts'
import type { ParamTree } from '../tree.ts'

export { missingParameter } from './declare.ts'
export type { Declared, Parsed } from './nested.ts'

/**
 * The kinds of parameters for operations. Each takes the options of `Options`, and its own:
 * `params: { id: param.id(), limit: param.limit(20), title: param.string({ max: 256 }), local:
 * param.boolean({ default: false }) }`
 */
export const param = {
  boolean,
  cursor,
  date,
  datetime,
  enumeration,
  id,
  ids,
  integer,
  integers,
  json,
  limit,
  object,
  objects,
  offset,
  record,
  string,
  strings,
  upload,
} as const

export interface ParseOptions {
  /** A 422 also has `details` by parameter, as for sign-up, profile and collections. */
  details?: boolean
}

/**
 * The typed values of the declared parameters; others in the tree are ignored.
 * @throws ApiError validation with all errors of the request, in the order of the declaration;
 * notFound, missingParameter, badRequest or invalidDate at the first parameter with that error
 */
export function parseParameters<P extends Declared>(
  declared: P,
  tree: ParamTree,
  options: ParseOptions = {},
): Parsed<P> {
  const errors: ParamError[] = []
  const parsed = readDeclared(declared, tree, new ParseContext(errors))
  if (parsed === INVALID) throw validationErrorOf(errors, options.details ?? false)
  return parsed
}
