import type { Span } from './url.ts'

/** A mention in a text; `domain` is null when none was written. Both as typed. */
export type Mention = Span & { username: string; domain: string | null }

const MAX_DOMAIN_LENGTH = 253

const USERNAME = /[a-zA-Z0-9_]+(?:[.-]+[a-zA-Z0-9_]+)*/y
const DOMAIN = /@([\p{L}\p{M}\p{Nd}\p{Pc}]+(?:[.-]+[\p{L}\p{M}\p{Nd}\p{Pc}]+)*)/uy
const NOT_BEFORE = /[=/\p{L}\p{M}\p{Nd}\p{Pc}]$/u
const NOT_AFTER = /[@＠]|[\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02af\u1e00-\u1eff]|[\u0300-\u036f]|:\/\//y

/**
 * The mention whose `@` stands at `at`, if there is one; e-mail addresses and parts of URLs are
 * not mentions.
 */
export function mentionAt(text: string, at: number): Mention | undefined {
  if (at > 0 && NOT_BEFORE.test(text.slice(Math.max(0, at - 2), at))) return undefined
  USERNAME.lastIndex = at + 1
  const username = USERNAME.exec(text)?.[0]
  if (username === undefined) return undefined
  DOMAIN.lastIndex = at + 1 + username.length
  const domain = DOMAIN.exec(text)?.[1] ?? null
  const end = at + 1 + username.length + (domain === null ? 0 : 1 + domain.length)
  NOT_AFTER.lastIndex = end
  if ((domain !== null && domain.length > MAX_DOMAIN_LENGTH) || NOT_AFTER.test(text)) return undefined
  return { start: at, end, username, domain }
}
