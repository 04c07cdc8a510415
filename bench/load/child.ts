import { fork, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** A load process that is told what to do and answers, one order at a time. */
export interface LoadProcess {
  ask<Answer>(order: object): Promise<Answer>
  close(): void
}

/** Starts a file of `bench/load` in a process of its own. */
export function startLoad(name: string): LoadProcess {
  const child: ChildProcess = fork(fileURLToPath(new URL(`${name}.ts`, import.meta.url)))
  return {
    ask<Answer>(order: object) {
      return new Promise<Answer>((resolve, reject) => {
        const ended = (): void => reject(new Error(`the load process "${name}" ended`))
        child.once('exit', ended)
        child.once('message', answer => {
          child.off('exit', ended)
          resolve(answer as Answer)
        })
        child.send(order)
      })
    },
    close() {
      if (child.exitCode === null) child.kill()
    },
  }
}
