import { randomBytes } from 'node:crypto'
import { Browser, type Page } from '../../../support/browser.ts'
import { sql } from '../../../support/people.ts'
import type { ServerAddress } from '../../../support/server.ts'

export const NEW_PASSWORD = 'another horse battery'

/** Opens the form for a new password; returns what sends it. */
export async function openReset(server: ServerAddress, userId: string): Promise<() => Promise<Page>> {
  const token = randomBytes(8).toString('hex')
  await sql(
    server,
    'update users set reset_password_token_hash = sha256($2::bytea), reset_password_sent_at = now() where id = $1',
    [userId, Buffer.from(token)],
  )
  const browser = new Browser(server)
  const page = await browser.get(`/auth/password/edit?reset_password_token=${token}`)
  const fields = { 'user[password]': NEW_PASSWORD, 'user[password_confirmation]': NEW_PASSWORD }
  return () => browser.submit(page, '/auth/password', fields, 'put')
}
