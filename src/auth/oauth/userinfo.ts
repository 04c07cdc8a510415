import { renderAccount } from '../../accounts/index.ts'
import { ApiError } from '../../core/errors.ts'
import { operation } from '../../platform/http/index.ts'

/** The members of entity Account that the claims are built from. */
interface AccountClaims {
  readonly uri: string
  readonly url: string
  readonly display_name: string
  readonly avatar: string
}

/** Claims about the token's user, with OpenID Connect names. */
export const showUserinfo = operation({
  method: ['GET', 'POST'],
  path: '/oauth/userinfo',
  summary: "Show OpenID-style claims about the token's user",
  auth: 'user',
  scopes: ['profile'],
  params: {},
  returns: 'OAuthUserinfo',
  async handle(_, context) {
    const { viewer, config } = context
    const rendered = await renderAccount(context, viewer, viewer.id)
    if (!rendered) throw new ApiError('notFound')
    const account = JSON.parse(rendered.text) as AccountClaims
    return {
      iss: `${config.publicUrl}/`,
      sub: account.uri,
      name: account.display_name,
      preferred_username: viewer.username,
      profile: account.url,
      picture: account.avatar,
    }
  },
})
