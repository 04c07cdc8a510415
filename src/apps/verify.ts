import { c, query } from '../database/index.ts'
import { Failure } from '../failure.ts'
import { operation } from '../http/index.ts'
import { renderApplication } from './application.ts'

const findApplication = query(
  'apps/find',
  { application: c.id },
  { id: c.id, name: c.text, website: c.nullable(c.text), redirect_uris: c.texts, scopes: c.texts },
)

/** The application that a token was given to; any live token will do, whatever its scopes. */
export const verifyApplication = operation({
  method: 'GET',
  path: '/api/v1/apps/verify_credentials',
  summary: 'Check an access token and return its application',
  auth: 'app',
  scopes: [],
  params: {},
  returns: 'Application',
  async handle(_, { token, database, secrets }) {
    const application =
      token.applicationId === null
        ? undefined
        : await database.one(findApplication, { application: token.applicationId })
    if (!application) throw new Failure('notFound')
    return renderApplication(application, secrets.vapid.publicKey)
  },
})
