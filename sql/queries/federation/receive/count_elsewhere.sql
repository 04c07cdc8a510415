-- count_elsewhere: stores how many favourites and boosts of a remote status only its server knows:
-- its counts less those of this server, which it may not have yet.
-- $1 status bigint
-- $2 author bigint
-- $3 favourites integer
-- $4 reblogs integer
-- rows: none when nothing has changed, else one
-- plan: no sequential scan
with counted as (
  insert into status_stats as c (status_id, favourites_elsewhere, reblogs_elsewhere)
  select s.id, coalesce($3::integer, 0), coalesce($4::integer, 0)
  from statuses s
  where s.id = $1 and s.account_id = $2 and not s.local and s.deleted_at is null
    and (greatest($3, $4) > 0 or exists (select from status_stats known where known.status_id = s.id))
  on conflict (status_id) do update
    set favourites_elsewhere = greatest(0, coalesce($3 - c.favourites_count, c.favourites_elsewhere)),
      reblogs_elsewhere = greatest(0, coalesce($4 - c.reblogs_count, c.reblogs_elsewhere))
    where (c.favourites_elsewhere, c.reblogs_elsewhere) <> (
      greatest(0, coalesce($3 - c.favourites_count, c.favourites_elsewhere)),
      greatest(0, coalesce($4 - c.reblogs_count, c.reblogs_elsewhere))
    )
  returning c.status_id
), logged as (
  insert into events (kind, actor_id, status_id) select 'status.counted', $2, counted.status_id from counted
  returning event_json(events) as event
)
select counted.status_id as id, (select jsonb_agg(logged.event) from logged) as events from counted
