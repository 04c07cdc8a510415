import { readdir, readFile } from 'node:fs/promises'

/** The resource use of processes so far. */
export interface Usage {
  readonly cpuSeconds: number
  /** Resident. */
  readonly memoryBytes: number
}

/**
 * The kernel's units of CPU time and memory, the same on all machines with /proc that Node.js
 * supports.
 */
const CLOCK_TICKS = 100
const PAGE_BYTES = 4096

interface Stat extends Usage {
  readonly pid: number
  readonly parent: number
  readonly name: string
}

/**
 * proc(5): the fields after the name, which may contain spaces and brackets. A process's times
 * include those of its ended children.
 */
async function readStat(pid: number): Promise<Stat | undefined> {
  try {
    const text = await readFile(`/proc/${pid}/stat`, 'utf8')
    const end = text.lastIndexOf(')')
    const fields = text.slice(end + 2).split(' ')
    const at = (index: number): number => Number(fields[index])
    const ticks = at(11) + at(12) + at(13) + at(14)
    const name = text.slice(text.indexOf('(') + 1, end)
    return { pid, parent: at(1), name, cpuSeconds: ticks / CLOCK_TICKS, memoryBytes: at(21) * PAGE_BYTES }
  } catch {
    return undefined
  }
}

async function readAll(): Promise<Stat[]> {
  const names = await readdir('/proc').catch(() => [])
  const stats = await Promise.all(names.filter(name => /^\d+$/.test(name)).map(name => readStat(Number(name))))
  return stats.filter(stat => stat !== undefined)
}

function add(stats: readonly Stat[]): Usage | undefined {
  if (stats.length === 0) return undefined
  return {
    cpuSeconds: stats.reduce((sum, stat) => sum + stat.cpuSeconds, 0),
    memoryBytes: stats.reduce((sum, stat) => sum + stat.memoryBytes, 0),
  }
}

/**
 * A process and its children with the same program: workers, but not the database. Undefined
 * without /proc.
 */
export async function usageOf(pid: number): Promise<Usage | undefined> {
  const own = await readStat(pid)
  if (!own) return undefined
  const all = await readAll()
  return add([own, ...all.filter(({ parent, name }) => parent === pid && name === own.name)])
}

/** A process and all its children, such as PostgreSQL's. */
export async function usageOfTree(pid: number): Promise<Usage | undefined> {
  const all = await readAll()
  return add(all.filter(stat => stat.pid === pid || stat.parent === pid))
}

/**
 * The memory of a process and its children in bytes, with what several share counted once (their
 * proportional set sizes). Undefined where the kernel does not say.
 */
export async function sharedMemoryOfTree(pid: number): Promise<number | undefined> {
  const all = await readAll()
  const sizes = await Promise.all(
    all.filter(stat => stat.pid === pid || stat.parent === pid).map(stat => readProportional(stat.pid)),
  )
  // A process that has ended since has no size.
  const known = sizes.filter(size => size !== undefined)
  return known.length === 0 ? undefined : known.reduce((sum, size) => sum + size, 0)
}

async function readProportional(pid: number): Promise<number | undefined> {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '')
  const kilobytes = /^Pss:\s+(\d+) kB$/m.exec(text)?.[1]
  return kilobytes === undefined ? undefined : Number(kilobytes) * 1024
}
