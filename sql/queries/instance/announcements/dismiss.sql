-- dismiss: marks an announcement as read by the viewer. Has no effect when it was read before.
-- $1 viewer bigint
-- $2 announcement bigint
-- rows: none when it does not exist or is not published, else one
-- plan: one row by key
with shown as (
  select a.id from announcements a where a.id = $2 and a.published
), marked as (
  insert into announcement_reads (account_id, announcement_id) select $1, shown.id from shown
  on conflict do nothing
)
select shown.id from shown
