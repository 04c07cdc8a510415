-- move_inboxes: the inboxes for the Move of a local account: those of its followers, of accounts
-- that block it, and of relays.
-- $1 account bigint
-- rows: one an inbox
-- plan: no sequential scan
select distinct i.inbox
from (
  select f.account_id from follows f where f.target_account_id = $1
  union
  select b.account_id from blocks b where b.target_account_id = $1
) reached
join reachable_inboxes() i on i.account_id = reached.account_id
union
select relay.inbox from relay_inboxes($1) relay (inbox)
