import { ERRORS, type ErrorName } from '../../core/errors.ts'
import type { AnyOperation, Method } from '../../platform/http/operation.ts'
import type { Notes } from './texts.ts'

/** The texts of each error status, as lines of Markdown. */
export type ErrorLines = Map<number, string[]>

const lineOf = (code: ErrorName, when: string): [status: number, line: string] => [
  ERRORS[code].status,
  `\`${ERRORS[code].error}\`: ${when}`,
]

/** The errors that follow from the callers whom the operation accepts. */
function errorsOfCaller({
  auth,
  scopes,
  allowWhenClosed,
  refusesUsers,
  missingTokenError,
}: AnyOperation): [number, string][] {
  const lines: [number, string][] = []
  if (allowWhenClosed !== 'always')
    lines.push(lineOf('userRequired', 'no user’s token, while the server is closed to anonymous callers'))
  lines.push(lineOf('loginDisabled', 'the token belongs to a suspended account'))
  if (auth === 'public' || auth === 'handler') return lines
  const isForUsers = auth === 'user' || auth === 'unconfirmed' || auth === 'admin'
  if (missingTokenError) lines.push(lineOf(missingTokenError, 'no token'))
  else if (auth === 'admin') lines.push(lineOf('notAllowed', 'no token, or the role of the user lacks the permission'))
  else if (auth !== 'optional' && (auth === 'app' || scopes.length > 0))
    lines.push(lineOf('tokenInvalid', 'no token, or an unknown one'))
  lines.push(lineOf('tokenRevoked', 'the token has been revoked'))
  if (scopes.length > 0) lines.push(lineOf('outsideScopes', 'the token has none of the scopes'))
  if (refusesUsers) lines.push(lineOf('appTokenRequired', 'a user’s token'))
  if (auth === 'user' || auth === 'unconfirmed')
    lines.push(lineOf('functionalUserRequired', 'the token belongs to no user'))
  if (isForUsers && auth !== 'unconfirmed')
    lines.push(
      lineOf('unconfirmed', 'the user’s e-mail address is not confirmed'),
      lineOf('pendingApproval', 'the user awaits approval'),
      lineOf('loginDisabled', 'the user is disabled, has moved away, or lacks a required second factor'),
    )
  return lines
}

/** The errors that follow from the parameters. */
function errorsOfParameters({ params }: AnyOperation, method: Method): [number, string][] {
  const lines: [number, string][] = []
  const kinds = Object.values(params).map(({ schema }) => schema.format)
  if (kinds.length > 0) lines.push(lineOf('validation', 'a parameter is invalid; the text says which'))
  if (kinds.some(format => format === 'date' || format === 'date-time'))
    lines.push(lineOf('invalidDate', 'the text is not a date'))
  if (kinds.includes('binary')) lines.push(lineOf('badRequest', 'a text that is no `data:` URI instead of a file'))
  if (method === 'GET') return lines
  return [
    ...lines,
    lineOf('malformedBody', 'the body is not what its type says'),
    lineOf('requestTimeout', 'the body did not arrive in time'),
    lineOf('tooLarge', 'the body is too large'),
    lineOf('unsupportedMediaType', 'the body has another type than JSON and forms'),
  ]
}

/** Whether a parameter is the id of a record; positions in lists may be any number. */
const isOfRecord = ([name, { schema }]: [string, AnyOperation['params'][string]]): boolean =>
  schema.pattern !== undefined && !/^(?:max|min|since)_id$/.test(name)

/** All errors of an operation, by status, in ascending order. */
export function documentErrors(operation: AnyOperation, method: Method, path: string, notes: Notes): ErrorLines {
  const fromNotes = Object.entries(notes.errors ?? {}).flatMap(([status, lines]) =>
    lines.map((line): [number, string] => [Number(status), line]),
  )
  const all: [number, string][] = [
    ...errorsOfCaller(operation),
    ...errorsOfParameters(operation, method),
    ...fromNotes,
    lineOf('tooManyRequests', 'a rate limit is exceeded'),
    lineOf('unavailable', 'the database is not available, or the server is stopping'),
  ]
  const has404 = all.some(([status]) => status === ERRORS.notFound.status)
  if (!has404 && !path.includes(':') && Object.entries(operation.params).some(isOfRecord))
    all.push(lineOf('notFound', 'a parameter is no id, or there is no such record'))
  if (path.includes(':') && !has404) all.push(lineOf('notFound', 'there is no such record, or it is not visible'))
  const byStatus: ErrorLines = new Map()
  for (const [status, line] of all.sort(([one], [other]) => one - other)) {
    const lines = byStatus.get(status) ?? []
    if (!lines.includes(line)) lines.push(line)
    byStatus.set(status, lines)
  }
  return byStatus
}
