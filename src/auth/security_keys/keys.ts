import type { Id } from '../../core/id.ts'
import { c, query, type Database, type Row } from '../../platform/database/index.ts'
import type { Config } from '../../core/config.ts'

const KEY = {
  id: c.id,
  external_id: c.text,
  public_key: c.bytes,
  sign_count: c.bigint,
  nickname: c.text,
  transports: c.texts,
  created_at: c.timestamp,
  last_used_at: c.nullable(c.timestamp),
} as const

const list = query('auth/security_keys/list', { user: c.id }, KEY)

/** A registered security key. */
export type SecurityKey = Row<typeof KEY>

/** The security keys of a user, the oldest first. */
export const findKeys = (database: Database, user: Id): Promise<SecurityKey[]> => database.run(list, { user })

/** The names by which browsers and keys know this server. */
export const relyingParty = ({ publicUrl }: Pick<Config, 'publicUrl'>): { id: string; origin: string } => {
  const { hostname, origin } = new URL(publicUrl)
  return { id: hostname, origin }
}

const TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const
export type Transport = (typeof TRANSPORTS)[number]

/** The known ways of reaching a key among those that a browser named. */
export const knownTransports = (value: unknown): Transport[] =>
  Array.isArray(value) ? TRANSPORTS.filter(known => value.includes(known)) : []

/** How long a challenge is valid. */
export const CHALLENGE_MS = 5 * 60_000
