import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { freePort } from '../target/server.ts'
import { usageOf, type Usage } from '../target/usage.ts'
import type { BaselineOrder } from './process.ts'

/** A process that does only the indispensable work, to compare the server with. */
export interface Baseline {
  readonly url: string
  usage(): Promise<Usage | undefined>
  close(): void
}

/** The names of its measurements in reports. */
export const BARE_ROUTE = 'bare route'
export const POINT_QUERY = 'bare route + point query'
export const ONE_COMMIT = 'bare route + one commit'
export const BARE_PUBLISH = 'bare publish'
export const PUBLISH_AFTER_COMMIT = 'bare publish after a commit'

export async function startBaseline(order: Partial<Omit<BaselineOrder, 'port'>>): Promise<Baseline> {
  const port = await freePort()
  const child = fork(fileURLToPath(new URL('process.ts', import.meta.url)))
  child.send({ port, body: '{}', frame: '', dataDir: undefined, commitsFirst: false, ...order } satisfies BaselineOrder)
  await once(child, 'message')
  return { url: `http://127.0.0.1:${port}`, usage: () => usageOf(child.pid ?? 0), close: () => void child.kill() }
}
