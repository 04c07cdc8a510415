import { findApplication } from '../../oauth/apps/index.ts'
import { ApiError } from '../../../core/errors.ts'
import { json, operation, param } from '../../../platform/http/index.ts'
import { issueToken } from '../../oauth/index.ts'
import { signUp } from './sign_up.ts'

const NO_STORE = { 'Cache-Control': 'no-store, no-cache', Pragma: 'no-cache' }

/** Only these count as true here, unlike for other boolean parameters. */
const YES = new Set<unknown>([true, 1, 'true', '1'])

const signUpByApplication = operation({
  method: 'POST',
  path: '/api/v1/accounts',
  auth: 'app',
  refusesUsers: true,
  scopes: ['write:accounts'],
  allowWhenClosed: 'always',
  cache: 'handler',
  params: {
    username: param.string({ default: '' }),
    email: param.string({ default: '' }),
    password: param.string({ default: '' }),
    agreement: param.json({ optional: true }),
    locale: param.string({ optional: true }),
    time_zone: param.string({ optional: true }),
    reason: param.string({ optional: true }),
    invite_code: param.string({ optional: true }),
    date_of_birth: param.date({ optional: true, withTime: true }),
  },
  returns: 'Token',
  summary: 'Sign up a new user through an application',
  async handle({ time_zone, invite_code, date_of_birth, agreement, ...wanted }, context) {
    const { token, database, request } = context
    const application = token.applicationId === null ? undefined : await findApplication(database, token.applicationId)
    if (!application) throw new ApiError('appTokenRequired')
    const facts = {
      ...wanted,
      agreement: YES.has(agreement),
      timeZone: time_zone,
      inviteCode: invite_code,
      dateOfBirth: date_of_birth,
      applicationId: application.id,
      address: request.address,
    }
    const { also: issued } = await signUp(context, facts, (transaction, { userId }) =>
      issueToken(transaction, { applicationId: application.id, userId, scopes: application.scopes }),
    )
    return json(issued, 200, NO_STORE)
  },
})

export const operations = [signUpByApplication]
