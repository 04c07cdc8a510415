/** A URL with the secret that lets whoever has it fetch what is there. */
export interface Bearcap {
  readonly url: string
  readonly token: string | undefined
}

/** Reads `bear:?u=URL&t=SECRET`; any other URI is without a secret. */
export function readBearcap(uri: string): Bearcap {
  if (!uri.startsWith('bear:?')) return { url: uri, token: undefined }
  const parameters = new URLSearchParams(uri.slice('bear:?'.length))
  const token = parameters.get('t') ?? ''
  // A header takes visible characters only.
  return { url: parameters.get('u') ?? '', token: /^[\x21-\x7e]{1,2000}$/.test(token) ? token : undefined }
}
