import type { Id } from '../../core/id.ts'
import { c, query, type Runner } from '../../platform/database/index.ts'

const find = query('administration/mailings/email', { user: c.id }, { email: c.text })

/** The address of a user. */
export const findEmail = async (runner: Runner, user: Id): Promise<string> =>
  (await runner.one(find, { user }))?.email ?? ''
