-- all: the relays, by their inboxes.
-- rows: one a relay
-- plan: the whole table, which has a few rows
select r.id, r.inbox_url, r.state, r.changed_at from relays r order by r.inbox_url
