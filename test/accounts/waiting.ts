import { mkdirSync, readdirSync, readFileSync, watch } from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import type { TestServer } from '../support/server.ts'

const TIMEOUT_MS = 15_000

function failAfter(what: string): { promise: Promise<never>; clear: () => void } {
  let timer: NodeJS.Timeout | undefined
  const promise = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`missing after ${TIMEOUT_MS} ms: ${what}`)), TIMEOUT_MS)
  })
  promise.catch(() => undefined)
  return { promise, clear: () => clearTimeout(timer) }
}

/** Waits for an event that satisfies the condition (on `events e`). */
export async function waitForEvent(server: TestServer, condition: string, values: unknown[] = []): Promise<void> {
  const client = new pg.Client({ connectionString: server.databaseUrl })
  const limit = failAfter(`an event where ${condition}`)
  await client.connect()
  try {
    await client.query('listen events')
    for (;;) {
      const notified = new Promise<void>(resolve => client.once('notification', () => resolve()))
      const { rows } = await client.query(`select from events e where ${condition} limit 1`, values)
      if (rows.length > 0) return
      await Promise.race([notified, limit.promise])
    }
  } finally {
    limit.clear()
    await client.end()
  }
}

/** Waits for an e-mail to an address, and returns the text of the newest. */
export async function waitForMail(server: TestServer, address: string): Promise<string> {
  const folder = path.join(server.config.dataDir, 'mail')
  mkdirSync(folder, { recursive: true })
  const limit = failAfter(`an e-mail to ${address}`)
  const watcher = watch(folder)
  try {
    for (;;) {
      const changed = new Promise<void>(resolve => watcher.once('change', () => resolve()))
      const emails = readdirSync(folder)
        .filter(name => name.endsWith('.eml'))
        .map(name => readFileSync(path.join(folder, name), 'utf8'))
      const found = emails.findLast(email => email.includes(`To: ${address}`))
      if (found !== undefined) return found.replaceAll('=\n', '').replaceAll('=3D', '=')
      await Promise.race([changed, limit.promise])
    }
  } finally {
    limit.clear()
    watcher.close()
  }
}
