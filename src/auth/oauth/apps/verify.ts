import { ApiError } from '../../../core/errors.ts'
import { operation } from '../../../platform/http/index.ts'
import { findApplication, renderApplication } from './application.ts'

/** The application of the presented token, whatever its scopes. */
export const verifyApplication = operation({
  method: 'GET',
  path: '/api/v1/apps/verify_credentials',
  summary: 'Check an access token and return its application',
  auth: 'app',
  scopes: [],
  params: {},
  returns: 'Application',
  async handle(_, { token, database, secrets }) {
    const application = token.applicationId === null ? undefined : await findApplication(database, token.applicationId)
    if (!application) throw new ApiError('notFound')
    return renderApplication(application, secrets.vapid.publicKey)
  },
})
