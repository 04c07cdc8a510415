/** A bearcap: a URL with the token that permits its holder to fetch the object. */
export interface Bearcap {
  readonly url: string
  readonly token: string | undefined
}

/** Parses `bear:?u=URL&t=TOKEN`; any other URI has no token. */
export function readBearcap(uri: string): Bearcap {
  if (!uri.startsWith('bear:?')) return { url: uri, token: undefined }
  const parameters = new URLSearchParams(uri.slice('bear:?'.length))
  const token = parameters.get('t') ?? ''
  // The header Authorization may contain visible characters only.
  return { url: parameters.get('u') ?? '', token: /^[\x21-\x7e]{1,2000}$/.test(token) ? token : undefined }
}
