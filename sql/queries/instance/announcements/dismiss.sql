-- dismiss: the viewer has read an announcement. A second time changes nothing.
-- $1 viewer bigint
-- $2 announcement bigint
-- rows: none when it is not there or not published, else one
-- plan: one row by key
with shown as (
  select a.id from announcements a where a.id = $2 and a.published
), marked as (
  insert into announcement_reads (account_id, announcement_id) select $1, shown.id from shown
  on conflict do nothing
)
select shown.id from shown
