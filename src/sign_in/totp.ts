import { createHmac } from 'node:crypto'

const STEP_SECONDS = 30
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** The bytes of a secret in base32 (RFC 4648), as authenticator apps take it. Other characters are left out. */
export function decodeBase32(text: string): Buffer {
  const bytes: number[] = []
  let bits = 0
  let held = 0
  for (const character of text.toUpperCase()) {
    const value = ALPHABET.indexOf(character)
    if (value < 0) continue
    held = ((held << 5) | value) & 0xfff
    bits += 5
    if (bits < 8) continue
    bits -= 8
    bytes.push((held >> bits) & 0xff)
  }
  return Buffer.from(bytes)
}

/** The time step of a moment in milliseconds (RFC 6238). */
export const stepAt = (nowMs: number): number => Math.floor(nowMs / 1000 / STEP_SECONDS)

/** The six-digit code of a time step (RFC 4226, section 5.3, with SHA-1). */
export function codeAt(secret: string, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const digest = createHmac('sha1', decodeBase32(secret)).update(counter).digest()
  const offset = (digest.at(-1) ?? 0) & 0xf
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

/** The step that a code belongs to: now, or one before or after, for clocks that are off. Undefined for a wrong one. */
export function stepOf(secret: string, code: string, nowMs: number): number | undefined {
  const now = stepAt(nowMs)
  return [now, now - 1, now + 1].find(step => codeAt(secret, step) === code)
}
