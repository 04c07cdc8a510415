-- verify_fields: marks the fields with these values as verified, if they still exist and were not
-- verified before.
-- $1 account bigint
-- $2 values text[]
-- rows: one when anything changed
-- plan: one row by key
with changed as (
  update accounts a set
    fields = (
      select jsonb_agg(
        case
          when f.field ->> 'value' = any ((select $2::text[])::text[]) and f.field ->> 'verified_at' is null
          then f.field || jsonb_build_object('verified_at', to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
          else f.field
        end
        order by f.place
      )
      from jsonb_array_elements(a.fields) with ordinality f (field, place)
    ),
    updated_at = now()
  where a.id = $1
    and exists (
      select from jsonb_array_elements(a.fields) f
      where f ->> 'value' = any ((select $2::text[])::text[]) and f ->> 'verified_at' is null
    )
  returning a.id
), logged as (
  insert into events (kind, actor_id, account_id, data)
  select 'account.changed', changed.id, changed.id, '{"change": "verified"}'::jsonb from changed
  returning event_json(events) as event
)
select changed.id, (select jsonb_agg(logged.event) from logged) as events from changed
