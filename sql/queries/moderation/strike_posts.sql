-- strike_posts: the posts that a strike names, with those that are deleted but still kept.
-- $1 strike bigint
-- rows: one for each that exists, oldest first
-- plan: no sequential scan
select s.id, s.spoiler_text, s.text, cardinality(s.media_attachment_ids) as attachments
from account_warnings w
join statuses s on s.id = any (w.status_ids) and s.account_id = w.target_account_id
where w.id = $1
order by s.id
