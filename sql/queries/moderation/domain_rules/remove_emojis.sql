-- remove_emojis: the custom emojis of a domain and, if wanted, of all below it go.
-- $1 domain text
-- $2 below boolean
-- rows: one; removed: how many; files: what is to be removed with them
-- plan: all custom emojis of other servers: an operator asks
with deleted as (
  delete from custom_emojis e
  where e.domain is not null and (e.domain = $1 or ($2::boolean and e.domain like '%.' || $1))
  returning e.image
), logged as (
  insert into events (kind) select 'emojis.changed' from deleted limit 1
  returning event_json(events) as event
)
select
  (select count(*) from deleted)::integer as removed,
  array(
    select files.key from deleted cross join lateral (values (deleted.image ->> 'key'), (deleted.image ->> 'static_key')) files (key)
    where files.key is not null
  ) as files,
  (select jsonb_agg(logged.event) from logged) as events
