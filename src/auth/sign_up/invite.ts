import { c, query, type Runner } from '../../platform/database/index.ts'

const findByCode = query('auth/sign_up/invite', { code: c.text }, { username: c.text, valid: c.nullable(c.boolean) })

/** An invite: its creator, and whether it is still valid. */
export interface Invite {
  readonly code: string
  readonly username: string
  readonly good: boolean
}

export async function findInvite(database: Runner, code: string | undefined): Promise<Invite | undefined> {
  if (code === undefined || code === '') return undefined
  const found = await database.one(findByCode, { code })
  return found && { code, username: found.username, good: found.valid === true }
}
