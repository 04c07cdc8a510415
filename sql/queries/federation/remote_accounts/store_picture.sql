-- store_picture: shows the stored copy of a remote account's picture; `kind` is avatar or header.
-- $1 account bigint
-- $2 kind text
-- $3 url text
-- $4 image jsonb
-- rows: none when the account has another picture now
-- plan: no sequential scan
with updated as (
  update accounts a set
    avatar = case $2 when 'avatar' then $4 else a.avatar end, header = case $2 when 'header' then $4 else a.header end
  where a.id = $1 and case $2 when 'avatar' then a.avatar ->> 'key' else a.header ->> 'key' end = $3
  returning a.id
), logged as (
  insert into events (kind, account_id, data) select 'account.changed', updated.id, '{"change": "profile"}' from updated
  returning event_json(events) as event
)
select updated.id, (select jsonb_agg(logged.event) from logged) as events from updated
