import { randomInt } from 'node:crypto'
import { probePort } from '../../src/platform/http/port.ts'

/**
 * Below the ephemeral ports, so that no outgoing connection takes a free port before the server
 * does, and above 10080, the one port of this range that `fetch` refuses (Fetch standard, "port
 * blocking").
 */
const FIRST = 10_081
const BEYOND = 32_000
const TRIES = 20

/** A free port of this machine, for a server that is about to start. */
export async function freePort(): Promise<number> {
  for (let left = TRIES; ; left -= 1) {
    try {
      return await probePort('127.0.0.1', randomInt(FIRST, BEYOND))
    } catch (error) {
      if (left === 0) throw error
    }
  }
}
