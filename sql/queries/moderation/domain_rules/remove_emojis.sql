-- remove_emojis: deletes up to a thousand custom emojis of a domain and, optionally, of its
-- subdomains and other ports.
-- $1 domain text
-- $2 below boolean
-- $3 rule bigint: only those under this rule; null: all
-- rows: one; removed: how many; files: the files to remove
-- plan: all custom emojis of other servers: an operator's command
with deleted as (
  delete from custom_emojis e
  where e.id in (
    select o.id
    from custom_emojis o
    where o.domain is not null and (o.domain = $1 or ($2::boolean and $1 = any (domains_above(o.domain))))
      and ($3::bigint is null or (select r.id from domain_rule(o.domain) r) = $3)
    limit 1000
  )
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
