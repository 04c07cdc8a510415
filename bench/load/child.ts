import { fork, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** A load process that executes one order at a time. */
export interface LoadProcess<Order, Answer> {
  readonly pid: number
  ask(order: Order): Promise<Answer>
  close(): void
}

/**
 * Starts a file of `bench/load` as a child process. Its answers have the type that its orders
 * promise: both are part of this repository.
 */
export function startLoad<Order extends object, Answer>(name: string): LoadProcess<Order, Answer> {
  const child: ChildProcess = fork(fileURLToPath(new URL(`${name}.ts`, import.meta.url)))
  return {
    pid: child.pid ?? 0,
    ask(order) {
      return new Promise<Answer>((resolve, reject) => {
        const ended = (): void => reject(new Error(`the load process "${name}" ended`))
        child.once('exit', ended)
        child.once('message', (response: { failure: string } | { answer: Answer }) => {
          child.off('exit', ended)
          if ('failure' in response) reject(new Error(response.failure))
          else resolve(response.answer)
        })
        child.send(order)
      })
    },
    close() {
      if (child.exitCode === null) child.kill()
    },
  }
}

/** The child's side: executes each order until the parent exits. */
export function serveOrders(answerTo: (order: never) => Promise<unknown>): void {
  // Messages have the type that the parent's `startLoad` has.
  const response = answerTo as (order: unknown) => Promise<unknown>
  process.on('message', (order: unknown) => {
    response(order).then(
      answered => process.send?.({ answer: answered }),
      (error: unknown) => process.send?.({ failure: error instanceof Error ? error.message : String(error) }),
    )
  })
  process.on('disconnect', () => process.exit(0))
}

/** Measures this process's use of a core from now on. */
export function watchCpu(): () => number {
  const before = process.cpuUsage()
  const startedAt = performance.now()
  return () => {
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000 / Math.max(1, performance.now() - startedAt)
  }
}
