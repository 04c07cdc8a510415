/**
 * A copy in memory of its own, for bytes that a cache keeps: a small Buffer is usually a part of a
 * block of 8 kB (`Buffer.poolSize`), and keeps all of it alive.
 */
export function ownBytes(bytes: Uint8Array): Buffer {
  const own = Buffer.allocUnsafeSlow(bytes.length)
  own.set(bytes)
  return own
}
