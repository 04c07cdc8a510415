import { Secret, TOTP } from 'otpauth'

const STEP_SECONDS = 30
/** As RFC 4226 (section 4) recommends. */
const SECRET_BYTES = 20

const totpOf = (secret: string): TOTP =>
  new TOTP({ secret: Secret.fromBase32(secret), period: STEP_SECONDS, digits: 6 })

/** A new random secret in base32, for authenticator apps. */
export const makeSecret = (): string => new Secret({ size: SECRET_BYTES }).base32

/** The content of a secret's QR code, with user and server. */
export const setupUri = (secret: string, issuer: string, label: string): string =>
  new TOTP({ secret: Secret.fromBase32(secret), period: STEP_SECONDS, digits: 6, issuer, label }).toString()

/** The time step of a time in milliseconds (RFC 6238). */
export const stepAt = (nowMs: number): number => Math.floor(nowMs / 1000 / STEP_SECONDS)

/** The six-digit code of a time step. */
export const codeAt = (secret: string, step: number): string =>
  totpOf(secret).generate({ timestamp: step * STEP_SECONDS * 1000 })

/**
 * The step that a code belongs to: the current, previous or next one, to tolerate inaccurate
 * clocks. Undefined for a wrong code.
 */
export function stepOf(secret: string, code: string, nowMs: number): number | undefined {
  if (!/^\d{6}$/.test(code)) return undefined
  const steps = totpOf(secret).validate({ token: code, timestamp: nowMs, window: 1 })
  return steps === null ? undefined : stepAt(nowMs) + steps
}
