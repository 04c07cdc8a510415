-- invalidate_handle: after WebFinger has confirmed a handle for the account with this URI, any
-- other account with the handle loses it and gets its id as its username.
-- $1 uri text
-- $2 username text
-- $3 domain text
-- rows: none or one
-- plan: no sequential scan
with invalidated as (
  update accounts o set username = o.id::text, handle_invalid = true
  where lower(o.username) = lower($2::text) and lower(coalesce(o.domain, '')) = lower($3::text) and o.domain is not null
    and o.uri <> $1::text and exists (select from accounts a where a.uri = $1::text and a.uri <> '' and a.domain = $3::text)
  returning o.id
), logged as (
  insert into events (kind, account_id, data) select 'account.changed', invalidated.id, '{"change": "profile"}' from invalidated
  returning event_json(events) as event
)
select invalidated.id, (select jsonb_agg(logged.event) from logged) as events from invalidated
