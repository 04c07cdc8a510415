import type pg from 'pg'
import { isWriteRefused } from './failures.ts'

/** A server that stays read-only must not cost new connections with each statement. */
const PAUSE_MS = 2000

export interface RenewedConnections {
  connect(): Promise<pg.PoolClient>
  /** Takes note of why a statement failed. */
  failed(error: unknown): void
}

/**
 * Replaces all connections of a pool after one of them refused a write. They may lead to a node
 * that is no longer the leader, which would answer reads for ever, while the address names another
 * one by now.
 */
export function renewConnections(pool: pg.Pool, lend: () => Promise<pg.PoolClient>): RenewedConnections {
  const openedAt = new WeakMap<pg.PoolClient, number>()
  let renewedAt = -Infinity
  pool.on('connect', client => openedAt.set(client, performance.now()))
  return {
    async connect() {
      for (;;) {
        const client = await lend()
        if ((openedAt.get(client) ?? Infinity) >= renewedAt) return client
        client.release(true)
      }
    },
    failed(error) {
      const now = performance.now()
      if (isWriteRefused(error) && now - renewedAt > PAUSE_MS) renewedAt = now
    },
  }
}
