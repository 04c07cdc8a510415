import { ApiError } from '../../core/errors.ts'
import { operation, param } from '../../platform/http/index.ts'
import { openWebSession } from '../sessions/index.ts'
import { findInvite } from './invite.ts'
import { isClosed, openSignUp } from './sign_up.ts'

/** An invite's link: the sign-up page for browsers, JSON for applications. */
export const openInvite = operation({
  method: 'GET',
  path: '/invite/:invite_code',
  summary: 'Sign up through an invite, or check it',
  auth: 'public',
  scopes: [],
  page: true,
  params: { invite_code: param.string({ missing: 404 }) },
  returns: 'InviteInfo',
  async handle({ invite_code: code }, context) {
    const invite = await findInvite(context.database, code)
    if (/\bapplication\/(?:activity\+)?json\b/.test(context.request.header('accept'))) {
      if (!invite) throw new ApiError('notFound')
      if (!invite.good) throw new ApiError('unauthorized', { message: 'This invite is not valid' })
      if (isClosed(context, invite)) throw new ApiError('notAllowed')
      return { invite_code: code, instance_api_url: `${context.config.publicUrl}/api/v2/instance` }
    }
    return openSignUp(context, await openWebSession(context), invite, undefined)
  },
})
