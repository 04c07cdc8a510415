import { sql } from '../people.ts'
import type { ServerAddress } from '../server.ts'

/** Suspends a host with its port, which the API does not take, and logs it as the API does. */
export const suspendHost = (server: ServerAddress, host: string): Promise<unknown> =>
  sql(
    server,
    `with rule as (insert into domain_blocks (domain, severity) values ($1, 'suspend'))
     insert into events (kind, data) values ('instance.changed', '{"change": "domain_blocks"}')`,
    [host],
  )
