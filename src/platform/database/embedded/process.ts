import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

function isSignalable(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: it runs, as another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

function ask(pid: number, column: string): string | null {
  try {
    return execFileSync('ps', ['-o', `${column}=`, '-p', String(pid)], { encoding: 'utf8', stdio: 'pipe' }).trim()
  } catch {
    return null // ps fails when there is no such process
  }
}

/**
 * Identifies a process uniquely, even among later ones with the same pid (pids are reused, and a
 * restarted container counts them from 1). Null when no such process runs; a zombie counts as
 * ended.
 */
export function identifyProcess(pid: number): string | null {
  if (!Number.isSafeInteger(pid) || pid <= 0 || !isSignalable(pid)) return null
  if (process.platform === 'win32') return String(pid)
  if (process.platform !== 'linux') {
    const started = ask(pid, 'lstart')
    return started === null ? null : `${pid} ${started}`
  }
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // proc_pid_stat(5). The name, in parentheses, may contain anything, so count from its end:
    // state is the first field, starttime the 20th.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (fields[0] === 'Z' || fields[0] === 'X') return null
    return `${pid} ${fields[19]} ${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}`
  } catch {
    return null // it ended between the two reads
  }
}

/** The command line of a running process, or null. Works for other users' processes too. */
export function readCommandLine(pid: number): string | null {
  if (process.platform === 'win32') return null
  if (process.platform !== 'linux') return ask(pid, 'command')
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
  } catch {
    return null // no such process
  }
}
