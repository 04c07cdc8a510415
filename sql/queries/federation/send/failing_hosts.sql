-- failing_hosts: the state of servers to which deliveries have failed. A pause lasts a minute; one
-- that ends much later was recorded before the clock was set back, and is over.
-- $1 hosts text[]
-- rows: one a server with failures
-- plan: no sequential scan
select h.host, h.unavailable_since is not null as unavailable,
  case when h.paused_until < now() + interval '2 minutes' then h.paused_until end as paused_until
from delivery_hosts h
where h.host = any ((select $1::text[])::text[])
