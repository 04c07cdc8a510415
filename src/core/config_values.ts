import { isIP } from 'node:net'
import path from 'node:path'
import { domainToASCII } from 'node:url'
import type { EnvironmentReader } from './environment.ts'
import { findLanguage } from './languages/index.ts'
import { parseNetworks } from './networks.ts'

/*
 * Readers of settings that are more than a number, a word or a URL. Each records an error of one
 * line that names the variable and what it must be.
 */

const HTTP = ['http:', 'https:']
const WEB_SOCKET = ['ws:', 'wss:']

/** The address to listen on: an IP address or `localhost`. */
export function readBind(reader: EnvironmentReader): string {
  const value = reader.text('BIND') ?? '127.0.0.1'
  if (isIP(value) === 0 && value !== 'localhost')
    reader.addError(`BIND must be an IP address such as 127.0.0.1, 0.0.0.0 or ::, not "${value}"`)
  return value
}

/** The URL of the server: scheme, host and port only. */
export function readPublicUrl(reader: EnvironmentReader, port: number): string {
  const value = reader.url('PUBLIC_URL', `http://localhost:${port}`, HTTP)
  const url = new URL(value)
  if (url.href !== `${url.origin}/`)
    reader.addError(
      'PUBLIC_URL must be a scheme and a host such as https://example.com, without a path or anything else',
    )
  return url.origin
}

/** The ws:// or wss:// URL for streams, to which clients add their paths. */
export function readStreamingUrl(reader: EnvironmentReader, publicUrl: string): string {
  return readBase(reader, 'STREAMING_URL', publicUrl.replace(/^http/, 'ws'), WEB_SOCKET)
}

/** A URL to which paths are added, so that it ends neither with a query nor with a fragment. */
export function readBase<F extends string | undefined>(
  reader: EnvironmentReader,
  name: string,
  fallback: F,
  protocols: readonly string[] = HTTP,
): string | F {
  const value = reader.url(name, fallback, protocols)
  if (value !== undefined && /[?#]/.test(value)) reader.addError(`${name} must be a URL without ? and #`)
  return value
}

/** A domain with or without a port, in ASCII. */
export function readDomain(reader: EnvironmentReader, name: string, fallback: string): string {
  const value = reader.text(name)
  if (value === undefined) return fallback
  const isPlain = !/[\s/@?#\\]/.test(value) && URL.canParse(`https://${value}`)
  if (!isPlain)
    reader.addError(`${name} must be a domain such as example.com, without https:// and spaces, not "${value}"`)
  return isPlain ? new URL(`http://${value}`).host : fallback
}

const MAILBOX = /^(?:[^<>@\p{Cc}]*<([^<>]+)>|([^<>]+))$/u
const ADDRESS = /^[^\s@<>(),;:"\\[\]]+@[^\s@<>(),;:"\\[\]]+$/

/** The sender of e-mail: an address, with or without a name. */
export function readMailbox(reader: EnvironmentReader, name: string, fallback: string): string {
  const value = reader.text(name)
  if (value === undefined) return fallback
  const found = MAILBOX.exec(value)
  if (!ADDRESS.test((found?.[1] ?? found?.[2] ?? '').trim()))
    reader.addError(`${name} must be an e-mail address such as Name <name@example.com>, not "${value}"`)
  return value
}

export function readFolder({ text }: EnvironmentReader, name: string): string | undefined {
  const folder = text(name)
  return folder === undefined ? undefined : path.resolve(folder)
}

export function readLocale(reader: EnvironmentReader): string {
  const locale = reader.text('DEFAULT_LOCALE') ?? 'en'
  const known = findLanguage(locale)
  if (known === undefined)
    reader.addError(`DEFAULT_LOCALE must be the code of a language such as en or de, not "${locale}"`)
  return known ?? 'en'
}

/** Addresses and networks; the text is kept, because processes pass it to each other. */
export function readNetworks(reader: EnvironmentReader, name: string, fallback: string): string {
  const value = reader.text(name) ?? fallback
  try {
    parseNetworks(value)
    return value
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    reader.addError(`${name} must be addresses or networks such as 10.0.0.0/8, or loopback: ${reason}`)
    return fallback
  }
}

/** Domains separated by bars or commas, in ASCII. */
export function readDomains(reader: EnvironmentReader, name: string): string[] {
  const given = (reader.text(name) ?? '').split(/[|,]/).map(part => part.trim())
  return given
    .filter(part => part !== '')
    .flatMap(part => {
      const domain = domainToASCII(part)
      if (domain !== '') return [domain]
      reader.addError(`${name} must be domains with | between them: "${part}" is no domain`)
      return []
    })
}
