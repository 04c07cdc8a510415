-- inboxes: one inbox of each known server, and of its accounts where they share none; relays too.
-- Servers that were given up are left out.
-- rows: one an inbox
-- plan: the known accounts of other servers
select distinct i.inbox from reachable_inboxes() i
union
select relay.inbox from relay_inboxes(null) relay (inbox)
