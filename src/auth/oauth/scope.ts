const DEFAULT = 'read'

/**
 * The requested scopes without duplicates; `read` if none is given. Undefined if one is not
 * literally among the application's registered scopes.
 */
export function requestedScopes(text: string | undefined, registered: readonly string[]): string[] | undefined {
  const words = (text ?? '').split(/\s+/).filter(word => word !== '')
  const scopes = words.length === 0 ? [DEFAULT] : [...new Set(words)]
  return scopes.every(scope => registered.includes(scope)) ? scopes : undefined
}
