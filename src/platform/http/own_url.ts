import type { Config } from '../../core/config.ts'

/** The address of this server for programs on the same machine, without a proxy in between. */
export function ownUrl({ bind, port }: Pick<Config, 'bind' | 'port'>): string {
  const host = bind === '0.0.0.0' ? '127.0.0.1' : bind === '::' ? '::1' : bind
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
