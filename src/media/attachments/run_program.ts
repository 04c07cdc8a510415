import { spawn } from 'node:child_process'
import { constants, setPriority } from 'node:os'

const MAX_OUTPUT_BYTES = 1024 * 1024
const KEPT_OF_ERRORS = 500

export interface ProgramOptions {
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
}

/**
 * Runs another program to its end, with lower priority than the server, and returns its output.
 * Only the end of its error output is kept, which for a damaged video may have a line for each
 * frame.
 * @throws Error with that end, when it fails, takes too long, prints more than a megabyte or is
 * aborted
 */
export function runProgram(
  program: string,
  args: readonly string[],
  { timeoutMs, signal }: ProgramOptions,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
      ...(signal && { signal }),
    })
    let printed = ''
    let complaints = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      printed += text
      if (printed.length > MAX_OUTPUT_BYTES) child.kill('SIGKILL')
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      complaints = (complaints + text).slice(-KEPT_OF_ERRORS)
    })
    child.on('error', error => reject(new Error(`${program} did not run`, { cause: error })))
    child.on('close', (code, killedBy) => {
      if (code === 0) resolve(printed)
      else reject(new Error(`${program} ended with ${code ?? killedBy}: ${complaints.trim()}`))
    })
    lessen(child.pid)
  })
}

function lessen(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    setPriority(pid, constants.priority.PRIORITY_LOW)
  } catch {
    // It has ended already, or the system forbids the change: it runs with the server's priority.
  }
}
