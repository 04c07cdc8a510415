import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { probePort } from '../../src/http/port.ts'
import type { CeilingOrder } from '../ceiling.ts'
import { usageOf, type Target } from '../target.ts'

export interface Ceiling {
  readonly url: string
  /** As of a target. */
  usage: Target['usage']
  close(): void
}

/** Starts the ceilings in a process of their own. */
export async function startCeiling(body: string, frame: string, dataDir: string | undefined): Promise<Ceiling> {
  const port = await probePort('127.0.0.1', 0)
  const child = fork(fileURLToPath(new URL('../ceiling.ts', import.meta.url)))
  child.send({ port, body, frame, dataDir } satisfies CeilingOrder)
  await once(child, 'message')
  return { url: `http://127.0.0.1:${port}`, usage: () => usageOf(child.pid ?? 0), close: () => void child.kill() }
}
