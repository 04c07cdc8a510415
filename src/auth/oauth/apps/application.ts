import { c, query, type Runner } from '../../../platform/database/index.ts'
import type { Id } from '../../../core/id.ts'

const findById = query(
  'auth/oauth/apps/find',
  { application: c.id },
  { id: c.id, name: c.text, website: c.nullable(c.text), redirect_uris: c.texts, scopes: c.texts, client_id: c.text },
)

/** The part of an application that holders of its tokens may see. */
export interface Application {
  readonly id: Id
  readonly name: string
  readonly website: string | null
  readonly scopes: readonly string[]
  readonly redirect_uris: readonly string[]
}

/** An application by its client id, or undefined. */
export const findApplication = (
  database: Runner,
  application: Id,
): Promise<(Application & { client_id: string }) | undefined> => database.one(findById, { application })

/** The entity Application in its full form, with the server's VAPID key. */
export const renderApplication = (application: Application, vapidKey: string): object => ({
  id: application.id,
  name: application.name,
  website: application.website,
  scopes: application.scopes,
  redirect_uris: application.redirect_uris,
  redirect_uri: application.redirect_uris.join('\n'),
  vapid_key: vapidKey,
})
