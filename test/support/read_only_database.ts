import { execute } from './database.ts'

/** Makes a database refuse writes, like a node that is no longer the leader, or has a full disk. */
export interface ReadOnlySwitch {
  /** Sessions are cut, and new ones may only read. */
  on(): Promise<void>
  /** New sessions may write again; those that were opened meanwhile stay as they are. */
  off(): Promise<void>
  /** Runs a statement that may write in either case. */
  write(statement: string): Promise<Record<string, unknown>[]>
}

export function readOnlySwitch(databaseUrl: string): ReadOnlySwitch {
  const url = new URL(databaseUrl)
  const name = url.pathname.slice(1)
  url.searchParams.set('options', '-c default_transaction_read_only=off')
  const write = (statement: string): Promise<Record<string, unknown>[]> => execute(url.href, statement)
  return {
    write,
    async on() {
      await write(`alter database ${name} set default_transaction_read_only = on`)
      await write(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`,
      )
    },
    async off() {
      await write(`alter database ${name} reset default_transaction_read_only`)
    },
  }
}
