import type { Config } from '../core/config.ts'

export interface Handle {
  username: string
  /** Null: of this server. */
  domain: string | null
}

const HANDLE = /^@?([a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?)(?:@([^\s@/?#:]{1,253}(?::[0-9]{1,5})?))?$/i
const MAX_USERNAME_LENGTH = 2048

/** What `user`, `@user` or `user@domain` names; our own domain counts as none. Undefined when it is no handle. */
export function parseHandle(text: string, { localDomain, publicUrl }: Config): Handle | undefined {
  const [, username, domain] = HANDLE.exec(text.trim()) ?? []
  if (username === undefined || username.length > MAX_USERNAME_LENGTH) return undefined
  if (domain === undefined) return { username, domain: null }
  const given = domain.toLowerCase()
  if (given === localDomain || given === new URL(publicUrl).host) return { username, domain: null }
  return { username, domain: toAscii(given) }
}

/** Domains are kept in their ASCII form. */
function toAscii(domain: string): string {
  const url = `https://${domain}`
  return URL.canParse(url) ? new URL(url).host : domain
}
