-- remove_preset: deletes a preset of a warning, and records it in the audit log.
-- $1 moderator bigint
-- $2 id bigint
-- rows: none when there is no such preset, else one
-- plan: no sequential scan
with removed as (
  delete from warning_presets p where p.id = $2 returning p.id, p.title, p.text
)
select
  removed.id,
  log_action($1::bigint, 'destroy', 'AccountWarningPreset', removed.id, coalesce(nullif(removed.title, ''), left(removed.text, 60))) as entry
from removed
