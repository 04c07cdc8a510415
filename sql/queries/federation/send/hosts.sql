-- hosts: the state of servers to which deliveries have failed.
-- $1 hosts text[]
-- rows: one a server with failures
-- plan: no sequential scan
select h.host, h.unavailable_since is not null as unavailable, h.paused_until
from delivery_hosts h
where h.host = any ((select $1::text[])::text[])
