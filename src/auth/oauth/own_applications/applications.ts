import type { Id } from '../../../core/id.ts'
import { hashSecret, randomSecret } from '../../../core/secret.ts'
import { c, query, type Database, type Runner } from '../../../platform/database/index.ts'
import { param } from '../../../platform/http/index.ts'
import { parseParameters, type Parsed } from '../../../platform/http/param/index.ts'
import { redirectUris, registeredScopes, website } from '../apps/fields.ts'
import { MAX_NAME_CHARACTERS } from '../apps/register.ts'
import { issueToken } from '../issue.ts'
import { lockUser } from '../../sessions/index.ts'
import { revokeGrants } from '../revoke_tokens.ts'

const APPLICATION = {
  id: c.id,
  name: c.text,
  website: c.nullable(c.text),
  redirect_uris: c.texts,
  scopes: c.texts,
  client_id: c.text,
} as const
const CHANGE = { name: c.text, website: c.nullable(c.text), redirect_uris: c.texts, scopes: c.texts } as const
const OWN = { owner: c.id, application: c.id } as const

/** The applications that a user developed. */
export const listOwn = query('auth/oauth/own_applications/list', { owner: c.id }, APPLICATION)
/** An application that a user developed. */
export const findOwn = query('auth/oauth/own_applications/find', OWN, { ...APPLICATION, has_token: c.boolean })
const insert = query(
  'auth/oauth/own_applications/create',
  { owner: c.id, ...CHANGE, client_id: c.text, client_secret_hash: c.bytes, limit: c.integer },
  { id: c.id },
)
const update = query('auth/oauth/own_applications/change', { ...OWN, ...CHANGE }, { id: c.id, events: c.events })
const setSecret = query('auth/oauth/own_applications/set_secret', { ...OWN, client_secret_hash: c.bytes }, { id: c.id })
const remove = query('auth/oauth/own_applications/remove', OWN, { id: c.id, events: c.events })

const MAX_APPLICATIONS = 100

/** The attributes of an application, with the rules of `POST /api/v1/apps`. */
const FIELDS = {
  name: param.string({ label: 'Application name', max: MAX_NAME_CHARACTERS, trim: true }),
  redirect_uris: redirectUris(),
  scopes: registeredScopes(),
  website: website(),
} as const

export type ApplicationInput = Parsed<typeof FIELDS>

/** @throws ApiError validation with details */
export const readApplication = (fields: Parameters<typeof parseParameters>[1]): ApplicationInput =>
  parseParameters(FIELDS, fields, { details: true })

const columnsOf = ({ name, website: site, redirect_uris, scopes }: ApplicationInput) => ({
  name,
  website: site ?? null,
  redirect_uris: [...redirect_uris],
  scopes: [...scopes],
})

/**
 * Creates an application. Returns its id and its secret, of which only the hash is stored;
 * undefined when the user has too many.
 */
export async function createOwn(
  database: Database,
  owner: Id,
  input: ApplicationInput,
): Promise<{ id: Id; secret: string } | undefined> {
  const secret = randomSecret()
  const added = await database.transaction(async transaction => {
    await lockUser(transaction, owner)
    return transaction.one(insert, {
      owner,
      ...columnsOf(input),
      client_id: randomSecret(),
      client_secret_hash: hashSecret(secret),
      limit: MAX_APPLICATIONS,
    })
  })
  return added && { id: added.id, secret }
}

/** Changes an application; returns whether it exists. */
export const updateOwn = async (
  database: Database,
  owner: Id,
  application: Id,
  input: ApplicationInput,
): Promise<boolean> => (await database.one(update, { owner, application, ...columnsOf(input) })) !== undefined

/** Replaces the secret and returns the new one; undefined when there is no such application. */
export async function renewSecret(transaction: Runner, owner: Id, application: Id): Promise<string | undefined> {
  const secret = randomSecret()
  const changed = await transaction.one(setSecret, { owner, application, client_secret_hash: hashSecret(secret) })
  return changed && secret
}

/**
 * Creates a token of the application for its owner, with all its scopes, and revokes earlier ones.
 * Undefined when there is no such application.
 */
export async function renewToken(transaction: Runner, owner: Id, application: Id): Promise<string | undefined> {
  const found = await transaction.one(findOwn, { owner, application })
  if (!found) return undefined
  await revokeGrants(transaction, owner, application)
  const { scopes } = found
  return (await issueToken(transaction, { applicationId: application, userId: owner, scopes })).access_token
}

/** Deletes an application with its tokens; returns whether it existed. */
export const removeOwn = async (database: Database, owner: Id, application: Id): Promise<boolean> =>
  (await database.one(remove, { owner, application })) !== undefined
