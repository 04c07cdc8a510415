-- change: changes a rule, or its translation into a language. Null values stay unchanged; a
-- translation with a blank text is removed. The audit log records it.
-- $1 moderator bigint
-- $2 rule bigint
-- $3 text text
-- $4 hint text
-- $5 language text
-- $6 position integer
-- rows: one when the rule exists
-- plan: one row by key
with changed as (
  update rules r set
    text = case when $5::text is null then coalesce($3::text, r.text) else r.text end,
    hint = case when $5::text is null then coalesce($4::text, r.hint) else r.hint end,
    position = coalesce($6::integer, r.position),
    translations = case
      when $5::text is null then r.translations
      when $3::text = '' then r.translations - $5::text
      else r.translations || jsonb_build_object(
        $5::text,
        jsonb_build_object(
          'text', coalesce($3::text, r.translations -> $5::text ->> 'text', r.text),
          'hint', coalesce($4::text, r.translations -> $5::text ->> 'hint', '')
        )
      )
    end
  where r.id = $2 and r.deleted_at is null
  returning r.id, r.text
), recorded as materialized (
  select log_action($1::bigint, 'update', 'Rule', changed.id, left(changed.text, 100)) from changed
), logged as (
  insert into events (kind, actor_id, object_id, data)
  select 'instance.changed', $1, changed.id, '{"change": "rules"}' from changed, recorded
  returning event_json(events) as event
)
select changed.id, (select jsonb_agg(logged.event) from logged) as events from changed
