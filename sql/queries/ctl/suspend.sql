-- suspend: takes an account out of everything, or brings it back; its data stay. Nothing is told when it is so already.
-- $1 account bigint
-- $2 suspended boolean
-- rows: one
-- plan: no sequential scan
with changed as (
  update accounts a set suspended_at = case when $2 then now() end, updated_at = now()
  where a.id = $1 and (a.suspended_at is not null) <> $2
  returning a.id
), told as (
  insert into events (kind, account_id, data)
  select 'account.changed', changed.id, jsonb_build_object('what', case when $2 then 'suspended' else 'unsuspended' end) from changed
  returning event_json(events) as event
)
select (select jsonb_agg(told.event) from told) as events
