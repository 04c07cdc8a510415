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

/** A registered application as a client of OAuth. */
export interface Client {
  readonly id: Id
  readonly name: string
  readonly website: string | null
  readonly redirect_uris: readonly string[]
  readonly scopes: readonly string[]
  readonly client_id: string
  /** One of our own pages: consent is not asked for. */
  readonly superapp: boolean
}

/** What a client says of itself. */
export interface Credentials {
  readonly clientId: string
  readonly clientSecret: string
}

/** The application with this client id, or undefined. It is not known to be the one that asks. */
export const findClient = (database: Runner, clientId: string): Promise<Client | undefined> =>
  database.one(findClientByUid, { client_id: clientId })

/** The credentials of a request: HTTP Basic (RFC 6749, section 2.3.1), else the parameters; undefined when there are none. */
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

/** Clients should form-encode what they put into the header; ids and secrets of ours are the same either way. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text // a percent sign that begins no escape: it was not encoded
  }
}

/** The application that these credentials belong to, or undefined. Every registered application has a secret and needs it. */
export async function authenticateClient(
  database: Runner,
  credentials: Credentials | undefined,
): Promise<Client | undefined> {
  if (!credentials || credentials.clientId.includes('\0')) return undefined
  const found = await database.one(findClientByUid, { client_id: credentials.clientId })
  if (!found) return undefined
  return timingSafeEqual(hashSecret(credentials.clientSecret), found.client_secret_hash) ? found : undefined
}
