import { recognise } from './recognise.ts'
import { parseUrl } from '../parse_url.ts'

const ASCII_HTTPS = /^https:\/\/[a-z0-9.-]+(?::[0-9]+)?(?:[/?]|$)/i

/**
 * The URL of a profile field that can be verified: the whole value is one https URL with an ASCII
 * host and without credentials. Null for any other value.
 */
export function verifiableUrl(value: string): string | null {
  const text = value.trim()
  const [entity] = recognise(text)
  if (entity?.kind !== 'url' || entity.start !== 0 || entity.end !== text.length) return null
  return ASCII_HTTPS.test(text) && parseUrl(text) ? text : null
}
