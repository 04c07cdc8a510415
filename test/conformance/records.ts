import { contractOperations, keyOf, type ContractOperation } from './contract.ts'
import { contractLines, lineId, type ErrorLine } from './lines.ts'

/**
 * What records.test.ts tests: the lines of the contract about missing records, records of others
 * and records without the permission say the same for many operations.
 */
export type RecordKind =
  | 'no record before permission'
  | 'no permission for record'
  | 'missing or of another'
  | 'missing'
  | 'no account'
  | 'no account or waiting'

function kindOf({ status, error, when }: ErrorLine, { path }: ContractOperation): RecordKind | undefined {
  if (!path.includes(':')) return undefined
  switch (`${status} ${error}`) {
    case '404 Record not found':
      if (/^no such [\w ]+ \(checked before the permission\)$/.test(when)) return 'no record before permission'
      if (/^(?:list )?missing or (?:owned by somebody else|not own|somebody else's)$/.test(when))
        return 'missing or of another'
      if (/^the list does not exist or belongs to another user$/.test(when)) return 'missing or of another'
      if (when === 'missing' && path.includes('/collections/')) return 'missing'
      if (when === 'the account does not exist or is marked for deletion (pending or finished)') return 'no account'
      return when.startsWith('the account does not exist, is marked for deletion, or is a local account that is unconf')
        ? 'no account or waiting'
        : undefined
    case '403 This action is not allowed':
      return when.startsWith('no token at all, app token without user, or') && path.startsWith('/api/v1/admin/')
        ? 'no permission for record'
        : undefined
    default:
      return undefined
  }
}

/** A line about a record of the operation. */
export interface RecordLine {
  readonly id: string
  readonly kind: RecordKind
  readonly text: string
  readonly operation: ContractOperation
}

const byKey = new Map(contractOperations.map(one => [keyOf(one.method, one.path), one]))

/** Every line that records.test.ts covers. */
export const recordLines: readonly RecordLine[] = contractLines.flatMap(({ key, name, removed, errors }) => {
  const [method = '', path = ''] = key.split(' ')
  const operation = byKey.get(keyOf(method, path))
  if (!operation || removed) return []
  return errors.flatMap((line, index) => {
    const kind = kindOf(line, operation)
    const id = lineId({ name }, 'error', index)
    return kind === undefined ? [] : [{ id, kind, text: `${line.status} ${line.error ?? ''}`, operation }]
  })
})
