-- save_preset: creates a preset of a warning, or changes the one with this id, and records it in
-- the audit log.
-- $1 moderator bigint
-- $2 id bigint
-- $3 title text
-- $4 text text
-- rows: none when the preset to change does not exist, else one
-- plan: no sequential scan
with created as (
  insert into warning_presets (title, text) select $3::text, $4::text where $2::bigint is null
  returning warning_presets.id
), changed as (
  update warning_presets p set title = $3, text = $4, updated_at = now() where p.id = $2
  returning p.id
), saved as materialized (
  select created.id, 'create' as action from created
  union all
  select changed.id, 'update' from changed
)
select saved.id, log_action($1::bigint, saved.action, 'AccountWarningPreset', saved.id, coalesce(nullif($3, ''), left($4, 60))) as entry from saved
