-- appeal: stores an appeal against a strike of the last 20 days; one for each strike.
-- $1 account bigint
-- $2 strike bigint
-- $3 text text
-- rows: none when an appeal exists, or the strike is older
-- plan: no sequential scan
with added as (
  insert into appeals (account_id, account_warning_id, text)
  select $1, w.id, $3::text
  from account_warnings w
  where w.id = $2 and w.target_account_id = $1 and w.created_at > now() - interval '20 days'
  on conflict (account_warning_id) do nothing
  returning appeals.id
), logged as (
  insert into events (kind, actor_id, object_id) select 'appeal.created', $1, added.id from added
  returning event_json(events) as event
)
select added.id, (select jsonb_agg(logged.event) from logged) as events from added
