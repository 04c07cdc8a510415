/**
 * Every scope, in the order of the OAuth server metadata (/.well-known/oauth-authorization-server).
 */
export const SCOPES = [
  'read',
  'profile',
  'write',
  'write:accounts',
  'write:blocks',
  'write:bookmarks',
  'write:collections',
  'write:conversations',
  'write:favourites',
  'write:filters',
  'write:follows',
  'write:lists',
  'write:media',
  'write:mutes',
  'write:notifications',
  'write:reports',
  'write:statuses',
  'read:accounts',
  'read:blocks',
  'read:bookmarks',
  'read:collections',
  'read:favourites',
  'read:filters',
  'read:follows',
  'read:lists',
  'read:mutes',
  'read:notifications',
  'read:search',
  'read:statuses',
  'follow',
  'push',
  'admin:read',
  'admin:read:accounts',
  'admin:read:reports',
  'admin:read:domain_allows',
  'admin:read:domain_blocks',
  'admin:read:ip_blocks',
  'admin:read:email_domain_blocks',
  'admin:read:canonical_email_blocks',
  'admin:write',
  'admin:write:accounts',
  'admin:write:reports',
  'admin:write:domain_allows',
  'admin:write:domain_blocks',
  'admin:write:ip_blocks',
  'admin:write:email_domain_blocks',
  'admin:write:canonical_email_blocks',
] as const

export type Scope = (typeof SCOPES)[number]

const KNOWN = new Map<string, Scope>(SCOPES.map(scope => [scope, scope]))

export const isScope = (text: string): text is Scope => KNOWN.has(text)

/**
 * Whether granted scopes satisfy an accepted one: the scope itself, or its parent (`read` for
 * `read:statuses`, `admin:read` for `admin:read:accounts`).
 */
export function grants(granted: ReadonlySet<string>, accepted: Scope): boolean {
  if (granted.has(accepted)) return true
  const colon = accepted.lastIndexOf(':')
  return colon > 0 && granted.has(accepted.slice(0, colon))
}
