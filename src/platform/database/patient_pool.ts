import type pg from 'pg'

/**
 * A statement waits this long for a connection in use before one more is opened. A new one costs
 * more than most statements: PostgreSQL starts a process, which reads the catalogue and plans each
 * statement again for its first five runs.
 */
const GROW_AFTER_MS = 10

/**
 * Lends connections of the pool. While all are in use, one more is opened every `GROW_AFTER_MS`,
 * up to the pool's size, for the statement that has waited longest.
 */
export function lendPatiently(pool: pg.Pool, size: number): () => Promise<pg.PoolClient> {
  const waiting: (() => void)[] = []
  let timer: NodeJS.Timeout | undefined

  function growLater(): void {
    timer = setTimeout(() => {
      timer = undefined
      if (pool.ending) for (const proceed of waiting.splice(0)) proceed()
      else waiting.shift()?.()
      if (waiting.length > 0) growLater()
    }, GROW_AFTER_MS)
  }

  function free(): Promise<void> {
    return new Promise(resolve => {
      waiting.push(resolve)
      if (!timer) growLater()
    })
  }

  pool.on('release', () => {
    waiting.shift()?.()
    if (waiting.length > 0) return
    clearTimeout(timer)
    timer = undefined
  })

  return async () => {
    const canGrow = pool.totalCount > 0 && pool.totalCount < size
    if (canGrow && pool.idleCount <= pool.waitingCount) await free()
    return pool.connect()
  }
}
