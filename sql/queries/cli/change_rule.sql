-- change_rule: changes a rule, or its translation into a language. Null values stay unchanged; a
-- translation with a blank text is removed.
-- $1 rule bigint
-- $2 text text
-- $3 hint text
-- $4 language text
-- $5 position integer
-- rows: one when the rule exists
-- plan: one row by key
with changed as (
  update rules r set
    text = case when $4::text is null then coalesce($2::text, r.text) else r.text end,
    hint = case when $4::text is null then coalesce($3::text, r.hint) else r.hint end,
    position = coalesce($5::integer, r.position),
    translations = case
      when $4::text is null then r.translations
      when $2::text = '' then r.translations - $4::text
      else r.translations || jsonb_build_object(
        $4::text,
        jsonb_build_object(
          'text', coalesce($2::text, r.translations -> $4::text ->> 'text', r.text),
          'hint', coalesce($3::text, r.translations -> $4::text ->> 'hint', '')
        )
      )
    end
  where r.id = $1 and r.deleted_at is null
  returning r.id
), logged as (
  insert into events (kind, object_id, data) select 'instance.changed', changed.id, '{"change": "rules"}' from changed
  returning event_json(events) as event
)
select changed.id, (select jsonb_agg(logged.event) from logged) as events from changed
