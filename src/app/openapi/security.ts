import { SCOPES, type Scope } from '../../core/scopes.ts'
import type { AnyOperation } from '../../platform/http/operation.ts'
import { translatorFor } from '../../platform/i18n/index.ts'

type Requirement = Readonly<Record<string, readonly string[]>>

/** The scope itself, and the parent that includes it. */
function granting(scope: Scope): string[] {
  const colon = scope.lastIndexOf(':')
  return colon > 0 ? [scope.slice(0, colon), scope] : [scope]
}

/** The ways to authorize a request; any one of them is enough. An empty one: without a token. */
export function documentSecurity({ auth, scopes, refusesUsers }: AnyOperation): Requirement[] {
  if (auth === 'public') return []
  const wanted: readonly (readonly string[])[] =
    scopes.length === 0 ? [[]] : [...new Set(scopes.flatMap(granting))].map(scope => [scope])
  const takesApplications = auth === 'app' || auth === 'optional'
  return [
    ...(auth === 'optional' ? [{}] : []),
    ...(refusesUsers === true ? [] : wanted.map(scope => ({ user: scope }))),
    ...(takesApplications ? wanted.map(scope => ({ application: scope })) : []),
  ]
}

/** The Security Scheme Objects: tokens of users and of applications. */
export function securitySchemes(publicUrl: string) {
  const { t, has } = translatorFor('en')
  const scopes = Object.fromEntries(
    SCOPES.map(scope => {
      const key = `scope.${scope}`
      return [scope, has(key) ? t(key) : scope]
    }),
  )
  const tokenUrl = `${publicUrl}/oauth/token`
  return {
    user: {
      type: 'oauth2',
      description: 'The token of a user, who has authorized the application. It does not expire.',
      flows: { authorizationCode: { authorizationUrl: `${publicUrl}/oauth/authorize`, tokenUrl, scopes } },
    },
    application: {
      type: 'oauth2',
      description: 'The token of an application itself, which has no user.',
      flows: { clientCredentials: { tokenUrl, scopes } },
    },
  }
}
