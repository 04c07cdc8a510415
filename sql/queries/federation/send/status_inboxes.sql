-- status_inboxes: the inboxes for activities about a local status (status_inboxes,
-- booster_inboxes).
-- $1 status bigint
-- rows: one an inbox
-- plan: no sequential scan
select inbox.inbox from status_inboxes($1) inbox (inbox)
union
select inbox.inbox from booster_inboxes($1) inbox (inbox)
