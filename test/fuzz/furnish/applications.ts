import { registerApplication } from '../../support/oauth.ts'
import { makeToken, sql } from '../../support/person.ts'
import type { Ground } from './ground.ts'

/** Adds an application, and a token of its own that can be revoked. */
export async function addApplication({ server, ids, alice }: Ground): Promise<void> {
  const app = await registerApplication(server)
  ids.put('client_id', app.client_id)
  ids.put('client_secret', app.client_secret)
  ids.put('redirect_uri', app.redirect_uri)
  const token = await makeToken(server, alice.userId)
  await sql(
    server,
    `update oauth_tokens set application_id = (select id from applications where client_id = $1)
     where token_hash = sha256($2::text::bytea)`,
    [app.client_id, token],
  )
  ids.put('revocable', token)
}
