/**
 * Settings that our statements need. The embedded server is configured with them; with any other
 * server each session sets them itself, because PostgreSQL's defaults let it compile a statement
 * for longer than the statement runs. They are set by a statement and not by the startup message,
 * because poolers refuse unknown parameters there.
 */
export const sessionSettings: Readonly<Record<string, string>> = {
  // Compilation takes longer than any of our queries.
  jit: 'off',
  // On an SSD a random page costs about as much as the next one; the default of 4 keeps the planner
  // from using indexes.
  random_page_cost: '1.1',
  // Short queries, few cores; and containers limit /dev/shm to 64 MB, which parallel hash joins can
  // exceed.
  max_parallel_workers_per_gather: '0',
  // A forgotten open transaction would hold back the event log for everybody, and vacuum too.
  idle_in_transaction_session_timeout: '60s',
  // Days and hours in SQL are the same on every machine.
  timezone: 'UTC',
}

/**
 * A statement that was given up, or whose process has ended, is cancelled within this time;
 * otherwise it would run to its end beside those that repeat it. On systems that cannot tell when
 * the other end has closed a connection PostgreSQL refuses the setting, and such statements run on.
 */
const cancelAbandoned = `do $$ begin
    set client_connection_check_interval = '5s';
  exception when others then
  end $$`

/**
 * Ends all limits of time in a session: backups, restores and migrations take as long as they need.
 * A provider may limit every role, and DATABASE_URL every connection.
 */
export const withoutTimeouts = `
  select set_config(name, '0', false) from pg_settings
  where name in
    ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout')`

/** Sets all of them in one round trip. */
export const setSession = [
  ...Object.entries(sessionSettings).map(([name, value]) => `set ${name} = '${value}'`),
  cancelAbandoned,
].join(';')
