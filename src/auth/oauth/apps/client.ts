import { timingSafeEqual } from 'node:crypto'
import { c, query, type Runner } from '../../../platform/database/index.ts'
import type { Id } from '../../../core/id.ts'
import { hashSecret } from '../../../core/secret.ts'
import type { Request } from '../../../platform/http/index.ts'

const findClientByUid = query(
  'auth/oauth/apps/find_client',
  { client_id: c.text },
  {
    id: c.id,
    name: c.text,
    website: c.nullable(c.text),
    redirect_uris: c.texts,
    scopes: c.texts,
    client_id: c.text,
    client_secret_hash: c.bytes,
    superapp: c.boolean,
  },
)

/** A registered application as an OAuth client. */
export interface Client {
  readonly id: Id
  readonly name: string
  readonly website: string | null
  readonly redirect_uris: readonly string[]
  readonly scopes: readonly string[]
  readonly client_id: string
  /** Whether it is one of this server's own pages, which need no consent. */
  readonly superapp: boolean
}

/** Client credentials from a request. */
export interface Credentials {
  readonly clientId: string
  readonly clientSecret: string
}

/** The application with this client id, or undefined. Does not authenticate the client. */
export const findClient = (database: Runner, clientId: string): Promise<Client | undefined> =>
  database.one(findClientByUid, { client_id: clientId })

/**
 * The credentials of a request: HTTP Basic (RFC 6749, section 2.3.1), else the parameters;
 * undefined if there are none.
 */
export function presentedCredentials(
  request: Request,
  parameters: { client_id: string | undefined; client_secret: string | undefined },
): Credentials | undefined {
  const [, encoded] = /^basic +([A-Za-z0-9+/=_-]+)\s*$/i.exec(request.header('authorization')) ?? []
  if (encoded !== undefined) {
    const text = Buffer.from(encoded, 'base64').toString('utf8')
    const colon = text.indexOf(':')
    if (colon > 0) return { clientId: decode(text.slice(0, colon)), clientSecret: decode(text.slice(colon + 1)) }
  }
  const { client_id: clientId, client_secret: clientSecret } = parameters
  return clientId === undefined || clientId === '' ? undefined : { clientId, clientSecret: clientSecret ?? '' }
}

/**
 * Clients should form-encode the credentials in the header; this server's ids and secrets are the
 * same either way.
 */
function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text // a percent sign without an escape: the text was not encoded
  }
}

/**
 * The application with these credentials, or undefined. Every registered application has a secret
 * and needs it.
 */
export async function authenticateClient(
  database: Runner,
  credentials: Credentials | undefined,
): Promise<Client | undefined> {
  if (!credentials || credentials.clientId.includes('\0')) return undefined
  const found = await database.one(findClientByUid, { client_id: credentials.clientId })
  if (!found) return undefined
  return timingSafeEqual(hashSecret(credentials.clientSecret), found.client_secret_hash) ? found : undefined
}
