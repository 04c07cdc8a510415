const DEFAULT = 'read'

/**
 * The scopes that a request asks for, each once; `read` when it asks for none. Undefined when one is not literally among those that the
 * application registered.
 */
export function requestedScopes(text: string | undefined, registered: readonly string[]): string[] | undefined {
  const words = (text ?? '').split(/\s+/).filter(word => word !== '')
  const scopes = words.length === 0 ? [DEFAULT] : [...new Set(words)]
  return scopes.every(scope => registered.includes(scope)) ? scopes : undefined
}
