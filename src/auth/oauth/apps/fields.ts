import { define, type Param } from '../../../platform/http/param/declare.ts'
import { isScope, type Scope } from '../../../core/scopes.ts'
import { redirectUriErrors } from './redirect_uri.ts'
import { parseUrl } from '../../../core/parse_url.ts'

const MAX_CHARACTERS = 2000
const TOO_LONG = `is too long (maximum is ${MAX_CHARACTERS} characters)`

/** One redirect URI, several separated by white space, or a list. */
export function redirectUris(): Param<readonly string[]> {
  const schema = { type: 'array', items: { type: 'string' } } as const
  return define({ label: 'Redirect URI' }, schema, (value, place) => {
    const texts = Array.isArray(value) ? value : [value]
    if (!texts.every(text => typeof text === 'string')) return place.refuseInvalid()
    const uris = texts.flatMap(text => text.split(/\s+/)).filter(uri => uri !== '')
    if (uris.length === 0) return place.refuse('ERR_BLANK', "can't be blank")
    const errors = new Set(uris.flatMap(redirectUriErrors))
    if (uris.join('\n').length > MAX_CHARACTERS) errors.add(TOO_LONG)
    let refused
    for (const error of errors) refused = place.refuse('ERR_INVALID', error)
    return refused ?? uris
  })
}

/**
 * Scopes separated by white space, without duplicates; `read` if there are none. A list is ignored.
 */
export function registeredScopes(): Param<readonly Scope[]> {
  const schema = { type: 'string' } as const
  return define({ label: 'Scopes', default: ['read'] as readonly Scope[] }, schema, (value, place) => {
    const words = typeof value === 'string' ? value.split(/\s+/).filter(word => word !== '') : []
    if (words.length === 0) return ['read']
    if (!words.every(isScope)) return place.refuse('ERR_INVALID', "doesn't match those configured on the server.")
    return [...new Set(words)]
  })
}

/** An http or https URL with a host; null for a blank one. */
export function website(): Param<string | null | undefined> {
  const schema = { type: 'string', format: 'uri', maxLength: MAX_CHARACTERS } as const
  return define({ label: 'Application website', optional: true, nullable: true }, schema, (value, place) => {
    if (typeof value !== 'string') return place.refuse('ERR_INVALID', 'is not a valid URL')
    const text = value.trim()
    if (text === '') return null
    const tooLong = text.length > MAX_CHARACTERS ? place.refuse('ERR_TOO_LONG', TOO_LONG) : undefined
    if (!isWebsite(text)) return place.refuse('ERR_INVALID', 'is not a valid URL')
    return tooLong ?? text
  })
}

const isWebsite = (text: string): boolean =>
  /^https?:\/\/[^/\s]/i.test(text) && !/\s/.test(text) && (parseUrl(text)?.hostname ?? '') !== ''
