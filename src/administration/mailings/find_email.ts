import type { Id } from '../../core/id.ts'
import { c, query, type Runner } from '../../platform/database/index.ts'

const emailQuery = query('administration/mailings/find_email', { user: c.id }, { email: c.text })

/** The e-mail address of a user. */
export const findEmail = async (runner: Runner, user: Id): Promise<string> =>
  (await runner.one(emailQuery, { user }))?.email ?? ''
