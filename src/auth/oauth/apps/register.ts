import { c, query } from '../../../platform/database/index.ts'
import { operation, param } from '../../../platform/http/index.ts'
import { randomSecret } from '../../../core/secret.ts'
import { hashSecret } from '../../../core/secret.ts'
import { renderApplication } from './application.ts'
import { redirectUris, registeredScopes, website } from './fields.ts'

const insertApplication = query(
  'auth/oauth/apps/register',
  {
    name: c.text,
    website: c.nullable(c.text),
    redirect_uris: c.texts,
    scopes: c.texts,
    client_id: c.text,
    client_secret_hash: c.bytes,
  },
  { id: c.id },
)

export const MAX_NAME_CHARACTERS = 60

/**
 * Registers an application. The response is the only place that shows its secret: only the hash is
 * stored.
 */
export const registerApplication = operation({
  method: 'POST',
  path: '/api/v1/apps',
  summary: 'Register a client application',
  auth: 'public',
  scopes: [],
  allowWhenClosed: 'always',
  params: {
    client_name: param.string({ label: 'Application name', max: MAX_NAME_CHARACTERS, trim: true }),
    redirect_uris: redirectUris(),
    scopes: registeredScopes(),
    website: website(),
  },
  returns: 'CredentialApplication',
  async handle(parameters, { database, secrets }) {
    const { client_name: name, redirect_uris, scopes } = parameters
    const clientId = randomSecret()
    const clientSecret = randomSecret()
    const application = {
      name,
      website: parameters.website ?? null,
      redirect_uris: [...redirect_uris],
      scopes: [...scopes],
    }
    const [stored] = await database.run(insertApplication, {
      ...application,
      client_id: clientId,
      client_secret_hash: hashSecret(clientSecret),
    })
    if (!stored) throw new Error('an application was not stored')
    return {
      ...renderApplication({ ...application, id: stored.id }, secrets.vapid.publicKey),
      client_id: clientId,
      client_secret: clientSecret,
      client_secret_expires_at: 0,
    }
  },
})
