import type { Id } from '../../core/id.ts'
import { c, query, type Database } from '../../platform/database/index.ts'
import type { Services } from '../../platform/services.ts'
import { lockAccount, resolveByHandle, ValidationErrors } from '../index.ts'

const listAliases = query(
  'accounts/migration/aliases',
  { account: c.id },
  { id: c.id, username: c.text, domain: c.nullable(c.text) },
)
const insertAlias = query(
  'accounts/migration/add_alias',
  { account: c.id, alias: c.id, limit: c.integer },
  { added: c.boolean, events: c.events },
)
const deleteAlias = query(
  'accounts/migration/remove_alias',
  { account: c.id, alias: c.id },
  { id: c.id, events: c.events },
)

const MAX_ALIASES = 100

/** The other accounts of the person behind an account. */
export const findAliases = (database: Database, account: Id) => database.run(listAliases, { account })

/**
 * Names another account of the same person, from which followers may then be moved to this one.
 * @throws ApiError validation with details of `acct`
 */
export async function addAlias(services: Services, account: Id, handle: string): Promise<void> {
  const errors = new ValidationErrors()
  const alias = await resolveByHandle(services, handle)
  if (alias === undefined) errors.add('acct', 'Account', 'ERR_UNKNOWN', 'is not known')
  else if (alias === account) errors.add('acct', 'Account', 'ERR_SELF', 'is this account itself')
  else {
    const row = await services.database.transaction(async transaction => {
      await lockAccount(transaction, account)
      return transaction.one(insertAlias, { account, alias, limit: MAX_ALIASES })
    })
    if (!row?.added) errors.add('acct', 'Account', 'ERR_TAKEN', 'has already been taken, or is one too many')
  }
  errors.throwIfAny()
}

/** Whether there was such an alias. */
export const removeAlias = async (database: Database, account: Id, alias: Id): Promise<boolean> =>
  (await database.one(deleteAlias, { account, alias })) !== undefined
