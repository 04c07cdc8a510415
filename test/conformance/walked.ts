import { contractOperations, keyOf, type ContractOperation } from './contract.ts'
import { contractLines, lineId, type ErrorLine } from './lines.ts'

/**
 * What the walk over all operations tests (callers.test.ts): the lines of the contract about
 * callers say the same for many operations, so that one test covers them.
 */
export type WalkedKind =
  | 'unknown token'
  | 'useless token'
  | 'revoked token'
  | 'no scope'
  | 'no user'
  | 'unconfirmed'
  | 'pending'
  | 'disabled'
  | 'any state'
  | 'suspended'
  | 'throttled'
  | 'closed'
  | 'limited'
  | 'not staff'
  | 'read token'
  | 'write token'
  | 'parent scope'
  | 'no token'
  | 'patch'
  | 'always 403'

/**
 * The behaviour of these overrules the line: without the permission they return the public list.
 */
const IS_PUBLIC_TOO = /^\/api\/v1\/admin\/trends\/(?:tags|links|statuses)$/
const STATES = /token.s user may not act/

function kindOfError({ status, error, when }: ErrorLine, operation: ContractOperation): WalkedKind | undefined {
  const isRequired = operation.auth === 'user' || operation.auth === 'app'
  switch (`${status} ${error}`) {
    case '401 The access token is invalid':
      if (/^an access token is sent but invalid(?:, revoked or expired)?$/.test(when)) return 'useless token'
      return isRequired && /^no (?:access token is sent|Authorization header|(?:or bad )?token)/.test(when)
        ? 'unknown token'
        : undefined
    case '401 The access token was revoked':
      return /revoked/.test(when) && operation.scopes.length > 0 ? 'revoked token' : undefined
    case '403 This action is outside the authorized scopes':
      return 'no scope'
    case '422 This method requires an authenticated user':
      return /token (?:has no user|belongs to no user|without (?:a )?user)/.test(when) ? 'no user' : undefined
    case '403 Your login is missing a confirmed e-mail address':
      return 'unconfirmed'
    case '403 Your login is currently pending approval':
      return 'pending'
    case '403 Your login is currently disabled':
      if (STATES.test(when)) return 'any state'
      if (/suspended or deleted|of a suspended account/.test(when)) return 'suspended'
      return /disabled/.test(when) && isRequired ? 'disabled' : undefined
    case '429 Too many requests':
      return /^a request throttle is exceeded$/.test(when) && operation.path.startsWith('/api/')
        ? 'throttled'
        : undefined
    case '401 This method requires an authenticated user':
      if (when.startsWith('limited federation mode is on')) return 'limited'
      return /unauthenticated API access|closed/.test(when) ? 'closed' : undefined
    case '403 This action is not allowed':
      // With a record in the path, the role is checked after it: tests of the group do that.
      return when.startsWith('no token at all, app token without user, or') &&
        !operation.path.includes(':') &&
        !IS_PUBLIC_TOO.test(operation.path)
        ? 'not staff'
        : undefined
    default:
      return undefined
  }
}

function kindOfBehaviour(line: string, { auth, scopes }: ContractOperation): WalkedKind | undefined {
  if (/^Given no token, then (?:401|403|422)$|^without an authorization header 403$/.test(line)) return 'no token'
  if (/^Given a (?:read token|token with only read scopes), then 403$/.test(line)) return 'read token'
  if (/^Given a write token, then 403$/.test(line)) return 'write token'
  if (/^parent scope (?:read|write)(?: also)? covers it$/.test(line) && scopes.length > 0 && auth !== 'public')
    return 'parent scope'
  if (line === 'PATCH is routed the same') return 'patch'
  return line === 'Every request is answered 403' ? 'always 403' : undefined
}

/** A line of the contract that the walk covers. */
export interface Walked {
  readonly id: string
  readonly kind: WalkedKind
  readonly text: string
  readonly operation: ContractOperation
}

const byKey = new Map(contractOperations.map(one => [keyOf(one.method, one.path), one]))

/** Every line that the walk covers. */
export const walked: readonly Walked[] = contractLines.flatMap(({ key, name, removed, behaviour, errors }) => {
  const [method = '', path = ''] = key.split(' ')
  const operation = byKey.get(keyOf(method, path))
  if (!operation || removed || !/^\/(?:api|oauth)\//.test(path)) return []
  const found = [
    ...behaviour.map((text, index) => ({
      id: lineId({ name }, 'behaviour', index),
      kind: kindOfBehaviour(text, operation),
      text,
      operation,
    })),
    ...errors.map((line, index) => ({
      id: lineId({ name }, 'error', index),
      kind: kindOfError(line, operation),
      text: `${line.status} ${line.error}`,
      operation,
    })),
  ]
  return found.flatMap(({ kind, ...rest }) => (kind === undefined ? [] : [{ kind, ...rest }]))
})
