import { ApiError } from '../../core/errors.ts'
import { operation } from '../../platform/http/index.ts'

/** Security keys are not supported, so there is no challenge. */
export const showSecurityKeyOptions = operation({
  method: 'GET',
  path: '/auth/sessions/security_key_options',
  summary: 'Challenge for the security key of a pending sign-in',
  auth: 'public',
  scopes: [],
  params: {},
  returns: 'Error',
  handle() {
    throw new ApiError('unauthorized', { message: "You haven't enabled WebAuthn yet" })
  },
})
