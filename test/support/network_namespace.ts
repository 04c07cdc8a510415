import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { Test } from 'tap'
import type { ProgramCommand } from './program.ts'

/** A network of its own for a server, with two cables to it: clients' and the test's. */
export interface NetworkNamespace {
  /** The addresses of the server, and of the clients, on each cable. */
  readonly clients: { readonly server: string; readonly client: string }
  readonly control: { readonly server: string }
  /** The command, inside of it. */
  inside(command: ProgramCommand): ProgramCommand
  /** From now on nothing passes on the clients' cable, and nobody is told. */
  unplug(): void
}

/** Attempts to send again for two or three seconds; Linux makes them for a quarter of an hour. */
const RETRIES = 3

const run = (...given: string[]): boolean => spawnSync('ip', given, { stdio: 'ignore' }).status === 0

/** Undefined where the test may not make one: only root may. */
export function makeNetworkNamespace(t: Test): NetworkNamespace | undefined {
  if (process.getuid?.() !== 0) return undefined
  const name = `mill${process.pid}`
  const net = `10.203.${process.pid % 250}`
  t.after(() => run('netns', 'del', name))
  const inside = (...given: string[]): boolean => run('netns', 'exec', name, ...given)
  const cable = (number: number): boolean => {
    const [near, far] = [`${name}n${number}`, `${name}f${number}`]
    const address = (host: number): string => `${net}.${4 * number + host}/30`
    return (
      run('link', 'add', near, 'type', 'veth', 'peer', 'name', far) &&
      run('link', 'set', far, 'netns', name) &&
      run('addr', 'add', address(1), 'dev', near) &&
      run('link', 'set', near, 'up') &&
      inside('ip', 'addr', 'add', address(2), 'dev', far) &&
      inside('ip', 'link', 'set', far, 'up')
    )
  }
  const isMade =
    run('netns', 'add', name) &&
    inside('ip', 'link', 'set', 'lo', 'up') &&
    inside('sysctl', '-q', '-w', `net.ipv4.tcp_retries2=${RETRIES}`) &&
    cable(1) &&
    cable(2)
  if (!isMade) return undefined
  return {
    clients: { server: `${net}.6`, client: `${net}.5` },
    control: { server: `${net}.10` },
    inside: ({ command, args }) => ({ command: 'ip', args: ['netns', 'exec', name, command, ...args] }),
    // The far end stays up and has the neighbour's address, so that its kernel goes on sending.
    unplug: () => void run('link', 'set', `${name}n1`, 'down'),
  }
}

const ESTABLISHED = '01'

/** The number of open connections that a process's network has with an IPv4 address. */
export function openConnections(pid: number, address: string): number {
  const hex = address
    .split('.')
    .toReversed()
    .map(part => Number(part).toString(16).padStart(2, '0').toUpperCase())
    .join('')
  return readFileSync(`/proc/${pid}/net/tcp`, 'utf8')
    .split('\n')
    .map(line => line.trim().split(/\s+/))
    .filter(([, , remote, state]) => state === ESTABLISHED && remote?.startsWith(`${hex}:`)).length
}
