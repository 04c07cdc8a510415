import { hostOf } from './json.ts'

export interface AcctHandle {
  readonly username: string
  /** In lower case and ASCII, with the port if there is one. */
  readonly domain: string
}

/** Parses a URI `acct:user@domain`; undefined for other texts, and for a domain that is no host. */
export function parseAcct(uri: string): AcctHandle | undefined {
  const [, username, text] = /^acct:([^@]+)@([^@/?#\\\s]+)$/.exec(uri) ?? []
  const domain = text === undefined ? undefined : hostOf(`https://${text}`)
  return username === undefined || domain === undefined ? undefined : { username, domain }
}
