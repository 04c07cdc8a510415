-- list: relays in the order of their inboxes, after one.
-- $1 after text
-- $2 limit integer
-- rows: at most $2
-- plan: the whole table, which has a few rows
select r.id, r.inbox_url, r.state, r.changed_at from relays r where r.inbox_url > $1 order by r.inbox_url limit $2::integer
