-- add_note: stores a note about an account or a report, and records that in the audit log.
-- $1 moderator bigint
-- $2 account bigint
-- $3 report bigint
-- $4 content text
-- rows: none when the account or report does not exist, else one
-- plan: no sequential scan
with subject as (
  select handle_of(a) as name from accounts a where a.id = $2::bigint
  union all
  select '#' || r.id from reports r where r.id = $3::bigint
), added as (
  insert into moderation_notes (account_id, target_account_id, report_id, content)
  select $1::bigint, $2, $3, $4::text from subject
  returning moderation_notes.id
)
select added.id, log_action($1, 'create', 'Note', added.id, subject.name) as entry from added cross join subject
