import { execFile } from 'node:child_process'
import { constants, setPriority } from 'node:os'

const MOST_OUTPUT_BYTES = 1024 * 1024
const KEPT_OF_ERRORS = 500

export interface ProgramOptions {
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
}

/**
 * Runs another program to its end, with less priority than the server, and gives what it printed.
 * @throws Error with the end of what it complained of, when it fails, takes too long, prints more than a megabyte or is aborted
 */
export function runProgram(
  program: string,
  args: readonly string[],
  { timeoutMs, signal }: ProgramOptions,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = execFile(
      program,
      args,
      { timeout: timeoutMs, killSignal: 'SIGKILL', maxBuffer: MOST_OUTPUT_BYTES, ...(signal && { signal }) },
      (error, stdout, stderr) => {
        if (!error) return resolve(stdout)
        reject(new Error(`${program} failed: ${stderr.trim().slice(-KEPT_OF_ERRORS)}`, { cause: error }))
      },
    )
    try {
      if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW)
    } catch {
      // It has ended by now, or this system does not allow it: it runs with the server's priority.
    }
  })
}
